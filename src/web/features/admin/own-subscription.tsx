import { Badge, Group, Stack, Text } from '@mantine/core';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { SubscriptionFailure } from '../billing/subscription-failure.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { billingCopy } from '../billing/billing-copy.ts';
import { planLabel } from '../billing/plan-copy.ts';
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
