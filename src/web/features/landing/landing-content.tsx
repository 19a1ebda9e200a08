import { Badge, Card, Container, Text, Title } from '@mantine/core';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import classes from './landing.module.css';
import { Hero } from './sections/hero.tsx';
import { HowItWorks } from './sections/how-it-works.tsx';
import { Prices } from './sections/prices.tsx';
import { Problems } from './sections/problems.tsx';
import { Questions } from './sections/questions.tsx';
import { StartTrial } from './sections/start-trial.tsx';

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

/** An invented testimonial, labelled as such before and after the text. */
function Testimonial() {
  return (
    <Container size="md" component="section" aria-label="Example testimonial" pb={{ base: 56, sm: 88 }}>
      <Card component="figure" m={0} padding="xl" style={{ borderStyle: 'dashed' }}>
        <Badge color="gray">Example, not a real customer</Badge>
        <Text
          component="blockquote"
          m={0}
          mt="md"
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

function Closing() {
  return (
    <Container size="lg" component="section" aria-labelledby="closing-title" pb={{ base: 40, sm: 64 }}>
      <div className={classes.closing}>
        <div>
          <Title order={2} id="closing-title" fz={{ base: 24, sm: 30 }} lts={-0.5} lh={1.2}>
            Be ready for the next outage
          </Title>
          <Text c="dimmed" mt={8} fz="lg">
            {TRIAL_DAYS} days free. Set up in minutes.
          </Text>
        </div>
        <StartTrial size="lg" />
      </div>
    </Container>
  );
}
