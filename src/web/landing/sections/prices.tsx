import { Badge, Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { CheckMark } from '../../components/check-mark.tsx';
import { FEATURES } from '../../pages/pricing/features.ts';
import { billedLabel, pricePerMonth, savingsPercent } from '../../text/plan-copy.ts';
import classes from '../landing.module.css';
import { Section } from './section.tsx';
import { StartTrial } from './start-trial.tsx';
import { Muted } from '../../components/muted.ts';

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
        <Features />
      </SimpleGrid>
    </Section>
  );
}

function Plan({ plan, name }: { plan: PlanType; name: string }) {
  return (
    <Card className={classes.plan ?? ''}>
      <Group justify="space-between" mih={26}>
        <Title order={3} fz="lg">
          {name}
        </Title>
        {plan === 'yearly' && <Badge color="green">Save {savingsPercent()}%</Badge>}
      </Group>
      <Group align="baseline" gap={6} mt="lg">
        <Text span fz={40} fw={700} lh={1} lts={-1.2} className="figures">
          {pricePerMonth(plan)}
        </Text>
        <Text span c="dimmed">
          per month
        </Text>
      </Group>
      <Muted mt={8} mb="lg" className="figures">
        {billedLabel(plan, true)}
      </Muted>
      <StartTrial
        plan={plan}
        size="md"
        fullWidth
        mt="auto"
        variant={plan === 'yearly' ? 'filled' : 'default'}
      />
    </Card>
  );
}

function Features() {
  return (
    <div className={classes.features}>
      <Title order={3} fz="md" mb="sm">
        Both plans include everything
      </Title>
      <ul className={classes.list}>
        {FEATURES.map((feature) => (
          <li key={feature} className={classes.feature}>
            <CheckMark />
            <Text span>{feature}</Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
