import type { ButtonProps } from '@mantine/core';
import { Button } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { paymentAddress } from '../billing/plan-copy.ts';

export function StartTrial({ plan = null, ...rest }: { plan?: PlanType | null } & ButtonProps) {
  return (
    <Button component="a" href={paymentAddress(plan)} {...rest}>
      Start Free Trial
    </Button>
  );
}
