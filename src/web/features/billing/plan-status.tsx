import { Badge, Box, Group, Text } from '@mantine/core';
import type { Subscription } from '#core/billing/subscription.ts';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { billingCopy } from './billing-copy.ts';
import { planLabel } from './plan-copy.ts';

/** A subscription: its plan, its status and its next date. */
export function PlanStatus({ subscription }: { subscription: Subscription }) {
  const { badge, line } = billingCopy(subscription, useNow());
  const { status, currentPeriodEnd, trialEnd } = subscription;
  return (
    <Box className="figures">
      <Group gap="sm">
        <Text fw={600}>{planLabel(subscription)}</Text>
        <Badge color={badge.color}>{badge.text}</Badge>
      </Group>
      {line !== null && (
        <Text fz="sm" mt={4} c={badge.color === 'red' ? 'var(--status-high)' : 'dimmed'}>
          <Time at={status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd}>{line}</Time>
        </Text>
      )}
    </Box>
  );
}
