import './settings-styles.css';
import type { SettingsBody } from '#contract/shapes.ts';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { useUserStatus } from '../status/api.ts';
import { TryIt } from '../try/try-buttons.tsx';
import { SettingsForm } from './settings-form.tsx';

const FIRST_DRAFT: SettingsBody = {
  email: '',
  outageThreshold: DEFAULT_THRESHOLD,
  resumeSettings: DEFAULT_RESUME,
};

export function SmartPauseSettings() {
  const { isInitialized } = useUser();
  const hasTest = useHasCapability('test_run');
  const query = useUserStatus();
  // A new advertiser has no saved settings, so a refusal does not block the form.
  const first = hasFailed(query) && !isInitialized ? FIRST_DRAFT : undefined;
  return (
    <SectionCard id="smartpause-settings" title="SmartPause Settings">
      <Muted mb="lg">
        {isInitialized
          ? 'When to pause, when to resume, and where we email you.'
          : 'Three steps until your campaigns are protected.'}
      </Muted>
      <QueryContent
        query={query}
        data={query.data ?? first}
        failure="Your settings couldn’t be loaded."
        heights={[80, 116, 290, 36]}
      >
        {({ email, outageThreshold, resumeSettings, onForNewCampaigns }) => (
          <>
            <SettingsForm
              saved={{ email: email ?? '', outageThreshold, resumeSettings, onForNewCampaigns }}
            />
            {isInitialized && hasTest && <TryIt />}
          </>
        )}
      </QueryContent>
    </SectionCard>
  );
}
