import { Anchor, Box, Container, Group, Text } from '@mantine/core';

const NAMES = ['Ad platform', 'Status page', 'Payments', 'Mail'];

/** The server names the control pages of the programs that play the outside world, in a meta element. */
function controlPages(): string[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="smartpause-practice"]');
  if (meta === null) return [];
  return meta.content
    .split(',')
    .map((address) => address.trim())
    .filter((address) => /^https?:\/\//.test(address));
}

/** Says plainly that nothing here touches the real platform. */
export function PracticeBanner() {
  const pages = controlPages();
  if (pages.length === 0) return null;
  return (
    <Box component="aside" aria-label="Practice mode" bg="var(--mantine-color-violet-light)" py={6}>
      <Container size="lg">
        <Group gap="xs" justify="center" fz="sm">
          <Text span fz="sm" ta="center">
            <b>Practice mode:</b> Meta is played by a program on this machine.
          </Text>
          {pages.map((address, index) => (
            <Anchor key={address} href={address} target="_blank" rel="noreferrer" fz="sm" underline="always">
              {NAMES[index] ?? address}
            </Anchor>
          ))}
        </Group>
      </Container>
    </Box>
  );
}
