import './settings-styles.css';
import { useEffect } from 'react';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { useUserStatus } from '../status/api.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { TryIt } from '../try/try-it.tsx';
import { SettingsForm } from './settings-form.tsx';
import type { Draft } from './unfinished-setup.ts';
import { dropUnfinishedSetup } from './unfinished-setup.ts';

const FIRST_DRAFT: Draft = { email: '', outageThreshold: DEFAULT_THRESHOLD, resumeSettings: DEFAULT_RESUME };

export function SmartPauseSettings() {
  const { isInitialized } = useUser();
  const hasTest = useHasCapability('test_run');
  const query = useUserStatus();
  const { data: status, isFetching, refetch } = query;
  const known = status === undefined ? null : { ...status, email: status.email ?? '' };
  // A new advertiser has no saved settings, so a refusal does not block the form.
  const saved = known ?? (hasFailed(query) && !isInitialized ? FIRST_DRAFT : null);
  const isMissing = saved === null && hasFailed(query);
  useEffect(() => {
    if (isInitialized) dropUnfinishedSetup();
  }, [isInitialized]);
  return (
    <SectionCard
      id="smartpause-settings"
      title="SmartPause Settings"
      aria-busy={saved === null && !isMissing}
    >
      <Muted mb="lg">
        {isInitialized
          ? 'When to pause, when to resume, and where we email you.'
          : 'Three steps until your campaigns are protected.'}
      </Muted>
      {saved !== null && <SettingsForm saved={saved} />}
      {saved === null && !isMissing && <Placeholders heights={[80, 116, 290, 36]} />}
      {isMissing && (
        <LoadFailure
          text="Your settings couldn’t be loaded."
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      )}
      {isInitialized && saved !== null && hasTest && <TryIt />}
    </SectionCard>
  );
}
