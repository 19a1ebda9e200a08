import { Badge, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { billingCopy } from '../../text/billing-copy.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { planLabel } from '../../text/plan-copy.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { actionLabels } from './action-copy.ts';
import type { Actions } from './use-actions.tsx';
import { Muted } from '../../components/muted.ts';

const ACTIONS = ['grant-subscription', 'clear-stripe-data'] as const;

export function OwnSubscription({ actions: { take, pending } }: { actions: Actions }) {
  return (
    <Card component="section" aria-labelledby="own-subscription">
      <Title order={2} fz="lg" mb="sm" id="own-subscription">
        Subscription management
      </Title>
      <Current />
      <Stack gap="xs" mt="md">
        {ACTIONS.map((action) => (
          <BusyButton
            key={action}
            variant="default"
            {...(action === 'clear-stripe-data' && { c: 'var(--status-high)' })}
            isBusy={pending === action}
            isInert={pending !== null}
            onClick={() => take(action)}
          >
            {actionLabels(action, undefined).label}
          </BusyButton>
        ))}
      </Stack>
    </Card>
  );
}

/** The admin's own subscription, in the wording of Settings. */
function Current() {
  const { subscription, isLoading, error } = useSubscription();
  const now = useNow();
  if (isLoading) return <Skeleton h={22} />;
  if (error !== null) return <SubscriptionFailure />;
  if (subscription === null) {
    return <Muted>You have no subscription.</Muted>;
  }
  const { badge, line } = billingCopy(subscription, now);
  return (
    <div>
      <Group gap={8}>
        <Text span fz="sm" fw={600}>
          {planLabel(subscription)}
        </Text>
        <Badge color={badge.color}>{badge.text}</Badge>
      </Group>
      {line !== null && (
        <Muted mt={2} className="figures">
          {line}
        </Muted>
      )}
    </div>
  );
}
