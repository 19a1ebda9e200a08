import { Badge, Group, Stack, Text } from '@mantine/core';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useSubscription } from '../../subscription.tsx';
import { billingCopy } from '../../text/billing-copy.ts';
import { planLabel } from '../../text/plan-copy.ts';
import type { Actions } from './actions.tsx';
import { ActionButton } from './actions.tsx';

export function OwnSubscription({ actions }: { actions: Actions }) {
  return (
    <SectionCard id="own-subscription" title="Subscription management">
      <Current />
      <Stack gap="xs" mt="md">
        <ActionButton action="grant-subscription" actions={actions} />
        <ActionButton action="clear-stripe-data" actions={actions} c="var(--status-high)" />
      </Stack>
    </SectionCard>
  );
}

/** The admin's own subscription, in the wording of Settings. */
function Current() {
  const { subscription, isLoading, error } = useSubscription();
  const now = useNow();
  if (isLoading) return <Placeholders heights={[22]} />;
  if (error !== null) return <SubscriptionFailure />;
  if (subscription === null) return <Muted>No subscription.</Muted>;
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
