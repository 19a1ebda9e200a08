import { Alert, Badge, Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Subscription } from '#core/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/subscription.ts';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { fullPrice } from '../../plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../use-now.ts';
import { billingWords } from './billing-words.ts';
import { PortalButton } from './portal-button.tsx';
import { useBillingInView } from './use-billing-in-view.ts';

export function Billing() {
  const { subscription, error } = useSubscription();
  const card = useBillingInView();
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
      <Box mt="md">
        {error !== null && <SubscriptionFailure />}
        {error === null && (subscription === null ? <None /> : <Some {...subscription} />)}
      </Box>
    </Card>
  );
}

function None() {
  return (
    <Group justify="space-between" gap="md">
      <Text fz="sm" c="dimmed" maw={340}>
        You have no subscription. With one, SmartPause looks after your campaigns.
      </Text>
      <ToPlans label="See plans" />
    </Group>
  );
}

function Some(subscription: Subscription) {
  const { hasPortal } = useSubscription();
  const now = useNow();
  const { badge, line, banner } = billingWords(subscription, now);
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
        {mayReturn && (
          <Text fz="sm" c="dimmed" mt={4}>
            SmartPause goes on until then. If you have changed your mind, renew it in the billing portal.
          </Text>
        )}
      </Box>
      <Group gap="sm" align="flex-start">
        {!isActive && !needsPayment(subscription) && subscription.status === 'canceled' && (
          <ToPlans label="Subscribe again" />
        )}
        {hasPortal && <PortalButton isUrgent={needsPayment(subscription)} />}
      </Group>
    </Stack>
  );
}

function planWords({ planType, status, renews }: Subscription): string {
  const plan = planType === 'yearly' ? 'Yearly plan' : 'Monthly plan';
  const isGranted = status === 'active' && !renews;
  return isGranted ? `${plan}, granted free of charge` : `${plan}, ${fullPrice(planType)}`;
}

function ToPlans({ label }: { label: string }) {
  return (
    <Button component={Link} to="/payment">
      {label}
    </Button>
  );
}
