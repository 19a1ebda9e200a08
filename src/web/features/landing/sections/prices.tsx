import { Badge, Card, Group, SimpleGrid, Title } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { PlanFeatures, PlanPrice } from '../../billing/plan.tsx';
import { savingsPercent } from '../../billing/plan-copy.ts';
import classes from '../landing.module.css';
import { Section } from './section.tsx';
import { StartTrial } from './start-trial.tsx';

export function Prices() {
  return (
    <Section
      id="prices"
      title="Simple pricing"
      text={`Both plans start with ${TRIAL_DAYS} days free, once per person. Cancel before the trial ends and pay nothing.`}
      raised
    >
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="lg">
        <Plan plan="monthly" name="Monthly" />
        <Plan plan="yearly" name="Yearly" />
        <div className={classes.features}>
          <PlanFeatures order={3} />
        </div>
      </SimpleGrid>
    </Section>
  );
}

function Plan({ plan, name }: { plan: PlanType; name: string }) {
  return (
    <Card className={classes.raised ?? ''}>
      <Group justify="space-between" mih={26} mb="lg">
        <Title order={3} fz="lg">
          {name}
        </Title>
        {plan === 'yearly' && <Badge color="green">Save {savingsPercent()}%</Badge>}
      </Group>
      <PlanPrice plan={plan} withTrial />
      <StartTrial
        plan={plan}
        size="md"
        fullWidth
        mt="lg"
        variant={plan === 'yearly' ? 'filled' : 'default'}
      />
    </Card>
  );
}
