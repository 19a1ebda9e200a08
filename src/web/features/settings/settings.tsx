import { Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { DangerZone } from '../account/danger-zone.tsx';
import { Sessions } from '../account/sessions.tsx';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { Billing } from '../billing/billing-section.tsx';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { PrivacyLink, TermsLink } from '../legal/legal-links.tsx';
import { SmartPauseSettings } from './smart-pause-settings.tsx';
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
    <Container size="sm" py="xl">
      <Stack gap="lg">
        <PageHeading fz={26}>Settings</PageHeading>
        {hasActiveSubscription && <SmartPauseSettings />}
        <Billing />
        {hasActiveSubscription && hasReplay && <WhatIf />}
        {hasSessions && <Sessions />}
        <DangerZone />
        <Muted ta="center">
          <TermsLink /> · <PrivacyLink />
        </Muted>
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
