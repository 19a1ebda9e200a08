import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import { practicePages } from './practice-pages.ts';
import { practiceWords } from './practice-words.ts';

/** Says plainly that nothing here touches the real platform. */
export function PracticeBanner() {
  const pages = practicePages();
  if (pages.length === 0) return null;
  return (
    <Box component="aside" aria-label="Practice mode" bg="var(--mantine-color-violet-light)" py={6}>
      <Container size="lg">
        <Group gap="xs" justify="center" fz="sm">
          <Text span fz="sm" ta="center">
            <b>Practice mode:</b> {practiceWords(pages.map(({ name }) => name))}
          </Text>
          {pages.map(({ name, address }) => (
            <Anchor key={address} href={address} target="_blank" rel="noreferrer" fz="sm" underline="always">
              {name}
            </Anchor>
          ))}
        </Group>
      </Container>
    </Box>
  );
}
