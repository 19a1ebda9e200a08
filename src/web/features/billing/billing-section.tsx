import { Alert, Box, Group, Stack } from '@mantine/core';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import { LinkButton } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { useNow } from '../../lib/use-now.ts';
import { billingCopy } from './billing-copy.ts';
import { paymentAddress } from './plan-copy.ts';
import { PlanStatus } from './plan-status.tsx';
import { Portal } from './portal.tsx';
import { SubscriptionFailure } from './subscription-failure.tsx';
import { useSubscription } from './subscription-provider.tsx';

export function Billing() {
  const { subscription, error } = useSubscription();
  return (
    <SectionCard id="billing" title="Billing & Subscription">
      {error !== null && <SubscriptionFailure />}
      {error === null && subscription === null && (
        <Group justify="space-between" gap="md">
          <Muted maw={340}>You have no subscription. Start one to protect your campaigns.</Muted>
          <LinkButton to={paymentAddress(null)}>See plans</LinkButton>
        </Group>
      )}
      {subscription !== null && <Details subscription={subscription} />}
    </SectionCard>
  );
}

function Details({ subscription }: { subscription: Subscription }) {
  const { hasPortal } = useSubscription();
  const now = useNow();
  const { charge, banner } = billingCopy(subscription, now);
  const isActive = hasActiveSubscription(subscription, now);
  const isCanceled = subscription.status === 'canceled';
  return (
    <Stack gap="md">
      {banner !== null && (
        <Alert color={banner.color} title={banner.title} role={banner.color === 'gray' ? 'status' : 'alert'}>
          {banner.text}
        </Alert>
      )}
      <Box>
        <PlanStatus subscription={subscription} />
        {charge !== null && <Muted mt={4}>{charge}</Muted>}
        {isCanceled && isActive && hasPortal && (
          <Muted mt={4}>Active until then. Changed your mind? Renew in the billing portal.</Muted>
        )}
      </Box>
      <Group gap="sm" align="flex-start">
        {isCanceled && !isActive && (
          <LinkButton to={paymentAddress(subscription.planType)}>Subscribe again</LinkButton>
        )}
        <Portal isUrgent={needsPayment(subscription)} />
      </Group>
    </Stack>
  );
}
