import type { ReactNode } from 'react';
import { Badge, Box, Card, Container, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { Faq, pricingQuestions } from '../../components/faq.tsx';
import { LINE, LogoMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { PlanFeatures, PlanPrice, StartTrial } from '../billing/plan.tsx';
import { savingsPercent } from '../subscription/plan-copy.ts';
import { Hero, WIDE } from './hero.tsx';
import { StatusShape } from '../status/status-mark.tsx';
import { KeptExample } from './kept-example.tsx';
import classes from './landing.module.css';
import { OutageEvening } from './outage-evening.tsx';

export function LandingContent() {
  return (
    <>
      <Hero />
      <Problems />
      <HowItWorks />
      <Prices />
      <Questions />
      <Closing />
    </>
  );
}

/** Each drawing: what one expects to see, and what happens. */
const PROBLEMS = [
  {
    title: 'Broken delivery',
    text: 'Ads reach the wrong people, or no one. The campaign still says ACTIVE and keeps spending.',
    answer: 'Paused for as long as the disruption lasts.',
    drawing: ['M4 18h232', 'M4 24h84c22 0 22 34 44 34h104'],
  },
  {
    title: 'Bot traffic',
    text: 'When Meta’s filters fail, accidental and bot clicks get billed like real ones.',
    answer: 'A paused campaign buys no clicks.',
    drawing: [
      'M12 64V48m24 16V44m24 20V50m120 14V48m24 16V44m24 20V50',
      'M84 64V26m24 38V10m24 54V18m24 46V32',
    ],
  },
  {
    title: 'ROAS collapse',
    text: 'Money goes out and few sales come in. One bad evening drags down a good week’s return.',
    answer: 'Paused campaigns spend nothing.',
    drawing: ['M4 18h232', 'M4 20l36-4 30 6 34-2 30 32 32 4 70 6'],
  },
  {
    title: 'Overspending after recovery',
    text: 'When delivery returns, Meta may rush to catch up and overbid for the rest of the day.',
    answer: 'Resume instantly, after a delay, or at 12:01 AM EST.',
    drawing: [
      'M12 64V44m24 20V46m24 18V42m24 22V45m24 19v-2m24 2v-2',
      'M156 64V8m24 56V14m24 50V22m24 42V32',
    ],
  },
  {
    title: 'No notification',
    text: 'Meta posts it on a status page. You find out days later, from your numbers.',
    answer: 'An email for every pause and resume.',
    drawing: ['M4 42h232M212 42V24m-16-14h32v14h-32z', 'M64 42h72'],
  },
  {
    title: 'Zero transparency',
    text: 'Days later you can’t tell what ran during the outage, what stopped, and why.',
    answer: 'Every action is logged with its time and reason.',
    drawing: ['M4 46l36-10 30 8m100-6 30 6 36-14', 'M84 44h4m10-1h4m10-1h4m10-1h4m10-1h4m10-1h4'],
  },
];

function Problems() {
  return (
    <Section
      id="problems"
      title="Meta’s outage. Your budget."
      text="Your campaigns keep running when Meta’s systems fail. Here’s what that costs, and how SmartPause helps."
      raised
    >
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" className={classes.list ?? ''}>
        {PROBLEMS.map(({ title, text, answer, drawing }) => (
          <Card component="li" key={title} className={classes.raised ?? ''}>
            <svg viewBox="0 0 240 72" aria-hidden="true" className={classes.drawing}>
              {drawing.map((lines) => (
                <path key={lines} {...LINE} d={lines} strokeWidth={lines.includes('64V') ? 10 : 4} />
              ))}
            </svg>
            <Title order={3} fz="lg" mt="md">
              {title}
            </Title>
            <Text c="dimmed" mt={6} lh={1.55}>
              {text}
            </Text>
            <Text fw={550} mt="auto" pt="md" lh={1.45}>
              {answer}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </Section>
  );
}

function HowItWorks() {
  return (
    <Section
      id="how-it-works"
      title="How it works"
      text="Log in with Facebook, choose your campaigns, and get on with your evening. We watch Meta’s ad services around the clock. When a disruption meets your threshold, your campaigns are paused; when it’s over, the same ones turn back on."
    >
      <OutageEvening />
      <KeptExample />
      <Testimonial />
    </Section>
  );
}

/** What SmartPause itself says in an outage: the words of its email (`paused` in src/server/notifications/templates). */
function Testimonial() {
  return (
    <Card component="figure" m={0} mt="lg" p={{ base: 'md', sm: 'xl' }} className={classes.email ?? ''}>
      <Muted component="figcaption">Example: your email</Muted>
      <Text component="blockquote" m={0} lh={1.6}>
        <Group gap={8} pb="sm" mb="md" fz="sm" className={classes.sender ?? ''}>
          <LogoMark size={24} />
          <b>SmartPause</b>
          <Muted span ml="auto">
            9:10 PM EST
          </Muted>
        </Group>
        <Text fz={{ base: 17, sm: 22 }} lh={1.35} fw={600}>
          SmartPause paused 2 campaigns: Meta reports high disruptions
        </Text>
        <p>
          When the disruption drops below your threshold, SmartPause resumes exactly the 2 paused campaigns 5
          minutes later, and we’ll tell you.
        </p>
        <p>1 campaign still runs ($50/day).</p>
        <p className={classes.panel}>
          <StatusShape level="HIGH_DISRUPTION" /> <b>High disruption</b> since Jan 8, 2026, 9:10 PM EST (Jan
          9, 02:10 UTC). Your threshold is medium.
        </p>
      </Text>
    </Card>
  );
}

function Prices() {
  return (
    <Section
      id="prices"
      title="Simple pricing"
      text={`Both plans start with ${TRIAL_DAYS} days free, once per person. A card is required. Cancel before the trial ends and pay nothing.`}
      raised
    >
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Plan plan="monthly" name="Monthly" />
        <Plan plan="yearly" name="Yearly" />
        <Box pt={{ base: 0, md: 22 }} pl={{ base: 0, md: 12 }}>
          <PlanFeatures order={3} />
        </Box>
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

const MORE = [
  {
    question: 'Will SmartPause change campaigns on its own?',
    answer:
      'Only the ones you turned it on for, and only when a disruption meets your threshold. It pauses and resumes them, and never changes budgets, ads or audiences. Campaigns that were already paused stay paused.',
  },
  {
    question: 'What if I change a paused campaign myself?',
    answer:
      'Your change wins. If you resume a paused campaign in Ads Manager, SmartPause leaves it running and emails you. It stays off for that campaign until you turn it on again.',
  },
  {
    question: 'Does it catch every outage?',
    answer:
      'It catches what Meta posts on its status page, as soon as Meta posts it. On January 8, 2026, that took 25 to 40 minutes. While the page can’t be read, nothing new is paused, and scheduled resumes still happen on time.',
  },
  {
    question: 'Do I need a card for the trial?',
    answer:
      'Yes. Stripe asks for a card when you start and charges nothing until the trial ends. Stripe emails you before it does.',
  },
  {
    question: 'Is SmartPause part of Meta?',
    answer: 'No. It uses Meta’s public API with your permission, which you can revoke anytime.',
  },
];

function Questions() {
  return (
    <Section id="questions" title="Frequently asked questions" text="What people ask before they start.">
      <Faq questions={[...pricingQuestions(true), ...MORE]} />
    </Section>
  );
}

function Closing() {
  return (
    <Container size="lg" component="section" aria-labelledby="closing-title" pb={{ base: 40, sm: 64 }}>
      <Card p={{ base: 'lg', sm: 40 }}>
        <Group justify="space-between" gap="lg">
          <div>
            <Title order={2} id="closing-title" fz={{ base: 24, sm: 30 }} lts={-0.5} lh={1.2}>
              Be ready for the next outage
            </Title>
            <Text c="dimmed" mt={8} fz="lg">
              {TRIAL_DAYS} days free. Set up in minutes.
            </Text>
          </div>
          <StartTrial size="lg" {...WIDE} />
        </Group>
      </Card>
    </Container>
  );
}

interface SectionProps {
  /** Links use it as fragment. */
  id: string;
  title: string;
  text: string;
  /** Has its own background. */
  raised?: boolean;
  children: ReactNode;
}

function Section({ id, title, text, raised = false, children }: SectionProps) {
  return (
    <Box
      component="section"
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes.section}
      mod={{ raised }}
    >
      <Container size="lg">
        <Box maw={680} mb={{ base: 28, sm: 40 }}>
          <Title order={2} id={`${id}-title`} fz={{ base: 26, sm: 34 }} lh={1.2} lts={-0.6}>
            {title}
          </Title>
          <Text fz="lg" c="dimmed" mt="sm" lh={1.55} style={{ textWrap: 'balance' }}>
            {text}
          </Text>
        </Box>
        {children}
      </Container>
    </Box>
  );
}
