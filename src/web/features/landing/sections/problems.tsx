import { Card, SimpleGrid, Text, Title } from '@mantine/core';
import { LINE } from '../../../components/icons.tsx';
import classes from '../landing.module.css';
import { Section } from './section.tsx';

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

export function Problems() {
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
