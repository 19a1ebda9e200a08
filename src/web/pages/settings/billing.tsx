import { Alert, Badge, Box, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import { billingCopy } from '../../text/billing-copy.ts';
import { Failure } from '../../components/failure.tsx';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { paymentAddress, planLabel } from '../../text/plan-copy.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import type { Portal } from './portal-button.tsx';
import { PortalButton, usePortal } from './portal-button.tsx';
import { useBillingInView } from './use-billing-in-view.ts';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import { LinkButton } from '../../components/links.ts';

export function Billing() {
  const { subscription, error } = useSubscription();
  const card = useBillingInView();
  const portal = usePortal();
  return (
    <Card
      component="section"
      id="billing"
      ref={card}
      aria-labelledby="billing-title"
      style={{ scrollMarginTop: 16 }}
    >
      <Title order={2} fz="lg" id="billing-title">
        Billing & Subscription
      </Title>
      <Stack mt="md" gap="sm">
        {error !== null && <SubscriptionFailure />}
        {error === null &&
          (subscription === null ? <None /> : <Some subscription={subscription} portal={portal} />)}
        {/* Outlives the button, which disappears when there is nothing left to manage. */}
        {portal.failure !== null && <Failure text={portal.failure} />}
      </Stack>
    </Card>
  );
}

function None() {
  return (
    <Group justify="space-between" gap="md">
      <Muted maw={340}>You have no subscription. Start one to protect your campaigns.</Muted>
      <LinkButton to={paymentAddress(null)}>See plans</LinkButton>
    </Group>
  );
}

function Some({ subscription, portal }: { subscription: Subscription; portal: Portal }) {
  const { hasPortal } = useSubscription();
  const now = useNow();
  const { badge, line, charge, banner } = billingCopy(subscription, now);
  const isActive = hasActiveSubscription(subscription, now);
  const { currentPeriodEnd, trialEnd } = subscription;
  const end = subscription.status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd;
  const mayReturn = subscription.status === 'canceled' && isActive && hasPortal;
  return (
    <Stack gap="md">
      {banner !== null && (
        <Alert color={banner.color} title={banner.title} role={banner.color === 'gray' ? 'status' : 'alert'}>
          {banner.text}
        </Alert>
      )}
      <Box>
        <Group gap="sm">
          <Text fw={600} className="figures">
            {planLabel(subscription)}
          </Text>
          <Badge color={badge.color}>{badge.text}</Badge>
        </Group>
        {line !== null && (
          <Text
            fz="sm"
            mt={4}
            c={badge.color === 'red' ? 'var(--status-high)' : 'dimmed'}
            className="figures"
          >
            <Time at={end}>{line}</Time>
          </Text>
        )}
        {charge !== null && (
          <Muted mt={4} className="figures">
            {charge}
          </Muted>
        )}
        {mayReturn && (
          <Muted mt={4}>
            SmartPause keeps working until then. Changed your mind? Renew it in the billing portal.
          </Muted>
        )}
      </Box>
      <Group gap="sm" align="flex-start">
        {!isActive && !needsPayment(subscription) && subscription.status === 'canceled' && (
          <LinkButton to={paymentAddress(subscription.planType)}>Subscribe again</LinkButton>
        )}
        {hasPortal && <PortalButton portal={portal} isUrgent={needsPayment(subscription)} />}
      </Group>
    </Stack>
  );
}
