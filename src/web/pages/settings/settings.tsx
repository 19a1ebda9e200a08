import { Container, Stack, Title } from '@mantine/core';
import { DangerZone } from './danger-zone.tsx';
import { SmartPauseSettings } from './smart-pause-settings.tsx';

export function Settings() {
  return (
    <Container size="sm" py="xl">
      <Stack gap="lg">
        <Title order={1} fz={26}>
          Settings
        </Title>
        <SmartPauseSettings />
        <DangerZone />
      </Stack>
    </Container>
  );
}
