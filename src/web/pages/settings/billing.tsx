import { Alert, Badge, Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import { billingWords } from '../../text/billing-words.ts';
import { Failure } from '../../components/failure.tsx';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { paymentAddress, planWords } from '../../text/plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import type { Portal } from './portal-button.tsx';
import { PortalButton, usePortal } from './portal-button.tsx';
import { useBillingInView } from './use-billing-in-view.ts';

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
        {/* It outlives the button, which goes when there is nothing left to manage. */}
        {portal.failure !== null && <Failure text={portal.failure} />}
      </Stack>
    </Card>
  );
}

function None() {
  return (
    <Group justify="space-between" gap="md">
      <Text fz="sm" c="dimmed" maw={340}>
        You have no subscription. With one, SmartPause looks after your campaigns.
      </Text>
      <ToPlans label="See plans" address={paymentAddress(null)} />
    </Group>
  );
}

function Some({ subscription, portal }: { subscription: Subscription; portal: Portal }) {
  const { hasPortal } = useSubscription();
  const now = useNow();
  const { badge, line, charge, banner } = billingWords(subscription, now);
  const isActive = hasActiveSubscription(subscription, now);
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
            {planWords(subscription)}
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
            {line}
          </Text>
        )}
        {charge !== null && (
          <Text fz="sm" c="dimmed" mt={4} className="figures">
            {charge}
          </Text>
        )}
        {mayReturn && (
          <Text fz="sm" c="dimmed" mt={4}>
            SmartPause goes on until then. If you have changed your mind, renew it in the billing portal.
          </Text>
        )}
      </Box>
      <Group gap="sm" align="flex-start">
        {!isActive && !needsPayment(subscription) && subscription.status === 'canceled' && (
          <ToPlans label="Subscribe again" address={paymentAddress(subscription.planType)} />
        )}
        {hasPortal && <PortalButton portal={portal} isUrgent={needsPayment(subscription)} />}
      </Group>
    </Stack>
  );
}

function ToPlans({ label, address }: { label: string; address: string }) {
  return (
    <Button component={Link} to={address}>
      {label}
    </Button>
  );
}
