import { Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import { useUser } from '../../auth.tsx';
import { useUserStatus } from '../../api/queries.ts';
import type { Draft } from './settings-form.tsx';
import { SettingsForm } from './settings-form.tsx';

const FIRST_DRAFT: Draft = { email: '', outageThreshold: DEFAULT_THRESHOLD, resumeSettings: DEFAULT_RESUME };

export function SmartPauseSettings() {
  const { isInitialized } = useUser();
  const { data: saved, isError } = useUserStatus();
  const start = saved === undefined ? null : { ...saved, email: saved.email ?? '' };
  // Somebody new has nothing saved, so a refusal there is no reason to wait.
  const initial = start ?? (isError && !isInitialized ? FIRST_DRAFT : null);
  return (
    <Card component="section" aria-labelledby="smartpause-settings">
      <Title order={2} fz="lg" id="smartpause-settings">
        SmartPause Settings
      </Title>
      <Text c="dimmed" fz="sm" mt={4} mb="lg">
        {isInitialized
          ? 'When SmartPause acts, how it resumes, and where it writes to you.'
          : 'Complete your setup: then switch SmartPause on for the campaigns it should look after.'}
      </Text>
      {initial === null ? <Placeholder /> : <SettingsForm initial={initial} isInitialized={isInitialized} />}
    </Card>
  );
}

/** About as high as the form that comes. */
function Placeholder() {
  return (
    <Stack aria-busy="true" gap="xl">
      <Skeleton h={80} />
      <Skeleton h={116} />
      <Skeleton h={290} />
      <Skeleton h={36} w={150} />
    </Stack>
  );
}
