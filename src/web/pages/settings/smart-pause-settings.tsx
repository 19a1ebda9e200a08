import './settings-styles.css';
import { Card, Skeleton, Stack, Title } from '@mantine/core';
import { useEffect } from 'react';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import { useHasCapability, useUser } from '../../auth.tsx';
import { useUserStatus } from '../../api/queries.ts';
import { TryIt } from '../try/try-it.tsx';
import type { Draft } from './settings-form.tsx';
import { SettingsForm } from './settings-form.tsx';
import { dropUnfinishedSetup, keepUnfinishedSetup, readUnfinishedSetup } from './unfinished-setup.ts';
import { Muted } from '../../components/muted.ts';

const FIRST_DRAFT: Draft = { email: '', outageThreshold: DEFAULT_THRESHOLD, resumeSettings: DEFAULT_RESUME };

export function SmartPauseSettings() {
  const { isInitialized, name } = useUser();
  const hasTest = useHasCapability('test_run');
  const { data: status, isError } = useUserStatus();
  const known = status === undefined ? null : { ...status, email: status.email ?? '' };
  // A new advertiser has no saved settings, so a refusal does not block the form.
  const saved = known ?? (isError && !isInitialized ? FIRST_DRAFT : null);
  useEffect(() => {
    if (isInitialized) dropUnfinishedSetup();
  }, [isInitialized]);
  return (
    <Card component="section" aria-labelledby="smartpause-settings">
      <Title order={2} fz="lg" id="smartpause-settings">
        SmartPause Settings
      </Title>
      <Muted mt={4} mb="lg">
        {isInitialized
          ? 'When to pause, when to resume, and where we email you.'
          : 'Three steps until your campaigns are protected.'}
      </Muted>
      {saved === null ? (
        <Placeholder />
      ) : (
        <SettingsForm
          saved={saved}
          unfinished={isInitialized ? null : readUnfinishedSetup(name)}
          isInitialized={isInitialized}
          onDraft={(draft) => keepUnfinishedSetup(name, draft)}
        />
      )}
      {isInitialized && saved !== null && hasTest && <TryIt />}
    </Card>
  );
}

/** About as high as the form. */
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
