import { Container, Stack } from '@mantine/core';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../../components/layout/page-placeholder.tsx';
import { useHasCapability } from '../../auth.tsx';
import { useSubscription } from '../../subscription.tsx';
import { Billing } from './billing.tsx';
import { DangerZone } from './danger-zone.tsx';
import { PrivacyLink, TermsLink } from './legal-links.tsx';
import { Sessions } from './sessions.tsx';
import { SmartPauseSettings } from './smart-pause-settings.tsx';
import { WhatIf } from './what-if/what-if.tsx';
import { Muted } from '../../components/muted.ts';

export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const hasReplay = useHasCapability('replay');
  const hasSessions = useHasCapability('sessions');
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
