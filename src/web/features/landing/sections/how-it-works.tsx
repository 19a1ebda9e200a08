import { SimpleGrid, Text } from '@mantine/core';
import { Step } from '../../../components/step.tsx';
import classes from '../landing.module.css';
import { OutageEvening } from './outage-evening.tsx';
import { Section } from './section.tsx';

const STEPS = [
  {
    title: 'We watch',
    text: 'We check the status of Meta’s ad services every ten seconds, day and night.',
  },
  {
    title: 'We pause',
    text: 'When a disruption meets your threshold, the campaigns you chose are paused.',
  },
  {
    title: 'We resume',
    text: 'When it’s over, those same campaigns turn back on, on your schedule. Nothing else is touched.',
  },
];

export function HowItWorks() {
  return (
    <Section
      id="how-it-works"
      title="How it works"
      text="Log in with Facebook, choose your campaigns, and get on with your evening."
    >
      <SimpleGrid
        component="ol"
        cols={{ base: 1, sm: 3 }}
        spacing={{ base: 'md', sm: 'xl' }}
        className={classes.list ?? ''}
      >
        {STEPS.map(({ title, text }, index) => (
          <Step key={title} mark={index + 1} title={title}>
            <Text c="dimmed" mt={4} lh={1.55}>
              {text}
            </Text>
          </Step>
        ))}
      </SimpleGrid>
      <OutageEvening />
    </Section>
  );
}
