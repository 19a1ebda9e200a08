import { Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { SettingsBody } from '#contract/shapes.ts';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { DangerZone } from '../account/danger-zone.tsx';
import { Sessions } from '../account/sessions.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { Billing } from '../billing/billing-section.tsx';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { useUserStatus } from '../status/api.ts';
import { TryIt } from '../try/try-buttons.tsx';
import { SettingsForm } from './settings-form.tsx';
import { WhatIf } from './what-if.tsx';

export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const hasReplay = useHasCapability('replay');
  const hasSessions = useHasCapability('sessions');
  useReturnFromPortal();
  useScrollToFragment(useLocation().hash, !isLoading);
  // The content depends on the subscription, so it waits to avoid a jump.
  if (isLoading) return <PagePlaceholder />;
  return (
    <Container size="sm" py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <PageHeading fz={26}>Settings</PageHeading>
        {hasActiveSubscription && <SmartPauseSettings />}
        <Billing />
        {hasActiveSubscription && hasReplay && <WhatIf />}
        {hasSessions && <Sessions />}
        <DangerZone />
      </Stack>
    </Container>
  );
}

/** On return from the portal the subscription is read from the payment provider: its webhook may be late. */
function useReturnFromPortal(): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { refreshSubscription } = useSubscription();
  const isFromPortal = params.get('from') === 'billing';
  useEffect(() => {
    if (!isFromPortal) return;
    void navigate('#billing', { replace: true });
    refreshSubscription().catch(() => undefined);
  }, [isFromPortal, navigate, refreshSubscription]);
}

const FIRST_DRAFT: SettingsBody = {
  email: '',
  outageThreshold: DEFAULT_THRESHOLD,
  resumeSettings: DEFAULT_RESUME,
};

function SmartPauseSettings() {
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
