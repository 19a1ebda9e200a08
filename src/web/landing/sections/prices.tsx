import { Badge, Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { CheckMark } from '../../components/check-mark.tsx';
import { FEATURES } from '../../pages/pricing/features.ts';
import { billedWords, pricePerMonth, savingsPercent } from '../../text/plan-words.ts';
import classes from '../landing.module.css';
import { Section } from './section.tsx';
import { StartTrial } from './start-trial.tsx';

export function Prices() {
  return (
    <Section
      id="prices"
      title="One product, two ways to pay"
      text={`Both begin with ${TRIAL_DAYS} days free, once per person. Cancel before they end and you pay nothing.`}
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
      <Text fz="sm" c="dimmed" mt={8} mb="lg" className="figures">
        {billedWords(plan, true)}
      </Text>
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
