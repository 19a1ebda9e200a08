import { Badge, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { billingWords } from '../../text/billing-words.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { planWords } from '../../text/plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { actionWords } from './action-words.ts';
import type { Actions } from './use-actions.tsx';

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
            isHeld={pending !== null}
            onClick={() => take(action)}
          >
            {actionWords(action, undefined).label}
          </BusyButton>
        ))}
      </Stack>
    </Card>
  );
}

/** The administrator's own, in the words of Settings. */
function Current() {
  const { subscription, isLoading, error } = useSubscription();
  const now = useNow();
  if (isLoading) return <Skeleton h={22} />;
  if (error !== null) return <SubscriptionFailure />;
  if (subscription === null) {
    return (
      <Text fz="sm" c="dimmed">
        You have no subscription.
      </Text>
    );
  }
  const { badge, line } = billingWords(subscription, now);
  return (
    <div>
      <Group gap={8}>
        <Text span fz="sm" fw={600}>
          {planWords(subscription)}
        </Text>
        <Badge color={badge.color}>{badge.text}</Badge>
      </Group>
      {line !== null && (
        <Text fz="sm" c="dimmed" mt={2} className="figures">
          {line}
        </Text>
      )}
    </div>
  );
}
