import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import type { DemoPage } from '#contract/demo-mode.ts';
import { demoPage, demoCopy } from '#contract/demo-mode.ts';

/** The server names the control pages in a meta element. */
function controlPages(): DemoPage[] {
  if (typeof document === 'undefined') return [];
  const meta = document.querySelector<HTMLMetaElement>('meta[name="smartpause-demo"]');
  return (meta?.content.split(',') ?? []).flatMap((entry) => demoPage(entry) ?? []);
}

/** States that this demo changes nothing on the real platform. */
export function DemoBanner() {
  const pages = controlPages();
  if (pages.length === 0) return null;
  return (
    <Box component="aside" aria-label="Demo mode" bg="var(--mantine-color-violet-light)" py={6}>
      <Container size="lg">
        <Group gap="xs" justify="center" fz="sm">
          <Text span fz="sm" ta="center">
            <b>Demo mode:</b> {demoCopy(pages.map(({ name }) => name))}
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
