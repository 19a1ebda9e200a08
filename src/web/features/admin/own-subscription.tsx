import { Stack } from '@mantine/core';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { PlanStatus } from '../billing/plan-status.tsx';
import { SubscriptionFailure } from '../billing/subscription-failure.tsx';
import { useSubscription } from '../billing/subscription-provider.tsx';
import type { Actions } from './actions.tsx';
import { ActionButton } from './actions.tsx';

export function OwnSubscription({ actions }: { actions: Actions }) {
  const { subscription, isLoading, error } = useSubscription();
  const isNone = !isLoading && error === null && subscription === null;
  return (
    <SectionCard id="own-subscription" title="Subscription management">
      {isLoading && <Placeholders heights={[22]} />}
      {error !== null && <SubscriptionFailure />}
      {isNone && <Muted>No subscription.</Muted>}
      {subscription !== null && <PlanStatus subscription={subscription} />}
      <Stack gap="xs" mt="md">
        <ActionButton action="grant-subscription" actions={actions} />
        <ActionButton action="clear-stripe-data" actions={actions} c="var(--status-high)" />
      </Stack>
    </SectionCard>
  );
}
