import { Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { Billing } from '../billing/billing-section.tsx';
import { DangerZone } from '../account/danger-zone.tsx';
import { PrivacyLink, TermsLink } from '../legal/legal-links.tsx';
import { Sessions } from '../account/sessions.tsx';
import { SmartPauseSettings } from './smart-pause-settings.tsx';
import { WhatIf } from './what-if/what-if.tsx';
import { Muted } from '../../components/muted.ts';

export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const hasReplay = useHasCapability('replay');
  const hasSessions = useHasCapability('sessions');
  const { hash } = useLocation();
  const isFromPortal = useReturnFromPortal();
  useScrollToFragment(isFromPortal ? '#billing' : hash, !isLoading);
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

/** The parameter in the return address of the billing portal. */
const FROM = 'from';

/** On return from the portal the subscription is read from the payment provider: its webhook may be late. */
function useReturnFromPortal(): boolean {
  const [params, setParams] = useSearchParams();
  const { refreshSubscription } = useSubscription();
  const isFromPortal = params.get(FROM) === 'billing';
  useEffect(() => {
    if (!isFromPortal) return;
    let hasLeft = false;
    const forget = () => {
      // On another page this would change that page's address.
      if (hasLeft) return;
      const rest = new URLSearchParams(window.location.search);
      rest.delete(FROM);
      setParams(rest, { replace: true, preventScrollReset: true });
    };
    refreshSubscription().then(forget, forget);
    return () => {
      hasLeft = true;
    };
  }, [isFromPortal, refreshSubscription, setParams]);
  return isFromPortal;
}
