import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import { useHydrated } from '../use-hydrated.ts';
import { practiceWords } from './practice-words.ts';

interface ControlPage {
  name: string;
  address: string;
}

/** The server names the control pages of the programs that play the outside world, in a meta element. */
function controlPages(): ControlPage[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="smartpause-practice"]');
  if (meta === null) return [];
  return meta.content.split(',').flatMap((entry) => {
    const [, name = '', address = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(entry.trim()) ?? [];
    return address === '' ? [] : [{ name, address }];
  });
}

/** Says plainly that nothing here touches the real platform. */
export function PracticeBanner() {
  const pages = useHydrated() ? controlPages() : [];
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
