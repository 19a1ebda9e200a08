import type { ReactNode } from 'react';
import { Badge, Box, Card, Container, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import { Faq, pricingQuestions } from '../../components/faq.tsx';
import { LINE } from '../../components/icons.tsx';
import { savingsPercent } from '../billing/plan-copy.ts';
import { PlanFeatures, PlanPrice, StartTrial } from '../billing/plan.tsx';
import { Hero } from './hero.tsx';
import classes from './landing.module.css';
import { OutageEvening } from './outage-evening.tsx';

export function LandingContent() {
  return (
    <>
      <Hero />
      <Problems />
      <HowItWorks />
      <Testimonial />
      <Prices />
      <Questions />
      <Closing />
    </>
  );
}

const PROBLEMS = [
  {
    title: 'Broken delivery',
    text: 'Ads reach the wrong people, or no one. The campaign still says ACTIVE and keeps spending.',
    answer: 'Paused for as long as the disruption lasts.',
    icon: 'M9 3v5m6-5v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v2m0 2.5v.5',
  },
  {
    title: 'Bot traffic',
    text: 'When Meta’s filters fail, accidental and bot clicks get billed like real ones.',
    answer: 'A paused campaign buys no clicks.',
    icon: 'M6 9h12v9H6zM12 5v4M9.5 13v1m5-1v1M3 13h3m12 0h3',
  },
  {
    title: 'ROAS collapse',
    text: 'Money goes out and few sales come in. One bad evening drags down a good week’s return.',
    answer: 'Paused campaigns spend nothing.',
    icon: 'M4 6l6 6 3-3 7 8m0-5v5h-5',
  },
  {
    title: 'Overspending after recovery',
    text: 'When delivery returns, Meta may rush to catch up and overbid for the rest of the day.',
    answer: 'Resume instantly, after a delay, or at 12:01 AM EST.',
    icon: 'M4 17l6-6 3 3 7-8m0 5V6h-5',
  },
  {
    title: 'No notification',
    text: 'Meta posts it on a status page. You find out days later, from your numbers.',
    answer: 'An email for every pause and resume.',
    icon: 'M6 17v-6a6 6 0 0 1 9-5.2M18 9v8M4 17h16M10 20h4M4 4l16 16',
  },
  {
    title: 'Zero transparency',
    text: 'Days later you can’t tell what ran during the outage, what stopped, and why.',
    answer: 'Every action is logged with its time and reason.',
    icon: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM4 20 20 4',
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
        {PROBLEMS.map(({ title, text, answer, icon }) => (
          <Card component="li" key={title} className={classes.raised ?? ''}>
            <svg width="28" height="28" viewBox="0 0 24 24" aria-hidden="true" className={classes.icon}>
              <path {...LINE} d={icon} strokeWidth="1.7" />
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
    </Section>
  );
}

/** An invented testimonial, labelled as such before and after the text. */
function Testimonial() {
  return (
    <Container size="lg" component="section" aria-label="Example testimonial" pb={{ base: 56, sm: 88 }}>
      <Card component="figure" m={0} padding="xl" style={{ borderStyle: 'dashed' }}>
        <Badge color="gray">Example, not a real customer</Badge>
        <Text
          component="blockquote"
          m={0}
          mt="md"
          maw={760}
          fz={{ base: 'lg', sm: 22 }}
          lh={1.5}
          fw={500}
          style={{ textWrap: 'balance' }}
        >
          “I found out about the outage from SmartPause’s email, not from my numbers. My campaigns were
          already paused, and by morning they were running again. I didn’t have to touch a thing.”
        </Text>
        <Text component="figcaption" c="dimmed" mt="md">
          What a media buyer at a small shop might say. We wrote this example to show what SmartPause is for.
        </Text>
      </Card>
    </Container>
  );
}

function Prices() {
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
        <Box pt={8} pl={12}>
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
          <StartTrial size="lg" />
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
          <Text fz="lg" c="dimmed" mt="sm" lh={1.55}>
            {text}
          </Text>
        </Box>
        {children}
      </Container>
    </Box>
  );
}
