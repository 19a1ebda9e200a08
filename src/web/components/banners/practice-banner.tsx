import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import type { PracticePage } from '#contract/practice.ts';
import { PRACTICE_PLACES, practicePage, practiceWords } from '#contract/practice.ts';

/** The server names the control pages of the programs that play the outside world, in a meta element. */
function controlPages(): PracticePage[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="smartpause-practice"]');
  return (meta?.content.split(',') ?? []).flatMap((entry) => practicePage(entry) ?? []);
}

/** Says plainly that nothing here touches the real platform. */
export function PracticeBanner() {
  const pages = controlPages();
  if (pages.length === 0) return null;
  return <Banner words={practiceWords(pages.map(({ name }) => name))} pages={pages} />;
}

/** As it stands in the landing page, for the server to fill in or to leave out; another server leaves it hidden. */
export function PracticeBannerToFill() {
  return <Banner words={PRACTICE_PLACES.words} pages={[PRACTICE_PLACES.page]} hidden />;
}

interface BannerProps {
  words: string;
  pages: readonly PracticePage[];
  hidden?: boolean;
}

function Banner({ words, pages, hidden = false }: BannerProps) {
  return (
    <Box
      component="aside"
      aria-label={PRACTICE_PLACES.label}
      hidden={hidden}
      bg="var(--mantine-color-violet-light)"
      py={6}
    >
      <Container size="lg">
        <Group gap="xs" justify="center" fz="sm">
          <Text span fz="sm" ta="center">
            <b>Practice mode:</b> {words}
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
