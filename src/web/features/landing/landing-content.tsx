import { Container, Text, Title } from '@mantine/core';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import classes from './landing.module.css';
import { Hero } from './sections/hero.tsx';
import { HowItWorks } from './sections/how-it-works.tsx';
import { Prices } from './sections/prices.tsx';
import { Problems } from './sections/problems.tsx';
import { Questions } from './sections/questions.tsx';
import { StartTrial } from './sections/start-trial.tsx';
import { Testimonial } from './sections/testimonial.tsx';

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
