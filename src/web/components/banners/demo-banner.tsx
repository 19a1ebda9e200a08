import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import type { DemoPage } from '#contract/demo-mode.ts';
import { DEMO_PLACES, demoPage, demoCopy } from '#contract/demo-mode.ts';

/** The server names the control pages in a meta element. */
function controlPages(): DemoPage[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="smartpause-demo"]');
  return (meta?.content.split(',') ?? []).flatMap((entry) => demoPage(entry) ?? []);
}

/** States that this demo changes nothing on the real platform. */
export function DemoBanner() {
  const pages = controlPages();
  if (pages.length === 0) return null;
  return <Banner words={demoCopy(pages.map(({ name }) => name))} pages={pages} />;
}

/** Part of the landing page: our server fills or removes it; with another server it stays hidden. */
export function DemoBannerToFill() {
  return <Banner words={DEMO_PLACES.copy} pages={[DEMO_PLACES.page]} hidden />;
}

interface BannerProps {
  words: string;
  pages: readonly DemoPage[];
  hidden?: boolean;
}

function Banner({ words, pages, hidden = false }: BannerProps) {
  return (
    <Box
      component="aside"
      aria-label={DEMO_PLACES.label}
      hidden={hidden}
      bg="var(--mantine-color-violet-light)"
      py={6}
    >
      <Container size="lg">
        <Group gap="xs" justify="center" fz="sm">
          <Text span fz="sm" ta="center">
            <b>Demo mode:</b> {words}
          </Text>
          {pages.map(({ name, address }) => (
            <Anchor
              key={address}
              href={address}
              target="_blank"
              rel="noreferrer"
              c="inherit"
              fz="sm"
              underline="always"
            >
              {name}
            </Anchor>
          ))}
        </Group>
      </Container>
    </Box>
  );
}
