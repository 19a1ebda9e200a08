import { Alert, Badge, Box, Group, Stack, Text } from '@mantine/core';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import { LinkButton } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { SubscriptionFailure } from './subscription-failure.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useSubscription } from './subscription-provider.tsx';
import { billingCopy } from './billing-copy.ts';
import { paymentAddress, planLabel } from './plan-copy.ts';
import { Portal } from './portal.tsx';

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
  const { badge, line, charge, banner } = billingCopy(subscription, now);
  const isActive = hasActiveSubscription(subscription, now);
  const { status, planType, currentPeriodEnd, trialEnd } = subscription;
  const end = status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd;
  return (
    <Stack gap="md">
      {banner !== null && (
        <Alert color={banner.color} title={banner.title} role={banner.color === 'gray' ? 'status' : 'alert'}>
          {banner.text}
        </Alert>
      )}
      <Box className="figures">
        <Group gap="sm">
          <Text fw={600}>{planLabel(subscription)}</Text>
          <Badge color={badge.color}>{badge.text}</Badge>
        </Group>
        {line !== null && (
          <Text fz="sm" mt={4} c={badge.color === 'red' ? 'var(--status-high)' : 'dimmed'}>
            <Time at={end}>{line}</Time>
          </Text>
        )}
        {charge !== null && <Muted mt={4}>{charge}</Muted>}
        {status === 'canceled' && isActive && hasPortal && (
          <Muted mt={4}>Active until then. Changed your mind? Renew in the billing portal.</Muted>
        )}
      </Box>
      <Group gap="sm" align="flex-start">
        {!isActive && !needsPayment(subscription) && status === 'canceled' && (
          <LinkButton to={paymentAddress(planType)}>Subscribe again</LinkButton>
        )}
        <Portal isUrgent={needsPayment(subscription)} />
      </Group>
    </Stack>
  );
}
