import type { ButtonProps } from '@mantine/core';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { CheckMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { billedLabel, paymentAddress, pricePerMonth } from '../subscription/plan-copy.ts';

const FEATURES = [
  'Unlimited campaigns and ad accounts',
  'Meta’s status, watched around the clock',
  'You choose which outages trigger a pause',
  'Resume instantly, after a delay, or the next day',
  'An email for every pause and resume',
  'Manual pause and resume in one place',
];

interface PlanPriceProps {
  plan: PlanType;
  withTrial: boolean;
  /** The user has this plan. */
  isOwn?: boolean;
}

/** What a plan costs, and when that is billed. */
export function PlanPrice({ plan, withTrial, isOwn = false }: PlanPriceProps) {
  return (
    <div className="figures">
      <Group align="baseline" gap={6}>
        <Text span fz={{ base: 40, sm: 44 }} fw={700} lh={1} lts={-1.5}>
          {pricePerMonth(plan)}
        </Text>
        <Text span c="dimmed">
          per month
        </Text>
      </Group>
      <Group mt={8} gap={8} justify="space-between">
        <Muted aria-live="polite">{billedLabel(plan, withTrial)}</Muted>
        {isOwn && <Badge color="green">Your plan</Badge>}
      </Group>
    </div>
  );
}

export function PlanFeatures({ order }: { order: 2 | 3 }) {
  return (
    <div>
      <Title order={order} fz="md" mb="sm">
        Both plans include everything
      </Title>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {FEATURES.map((feature) => (
          <Group component="li" key={feature} gap="sm" wrap="nowrap" align="flex-start">
            <CheckMark />
            <Text fz="sm">{feature}</Text>
          </Group>
        ))}
      </Stack>
    </div>
  );
}

/** A plain link, as the landing page works without a script. */
export function StartTrial({ plan = null, ...rest }: { plan?: PlanType | null } & ButtonProps) {
  return (
    <Button component="a" href={paymentAddress(plan)} {...rest}>
      Start Free Trial
    </Button>
  );
}
