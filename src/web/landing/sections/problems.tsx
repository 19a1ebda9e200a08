import { Card, SimpleGrid, Text, Title } from '@mantine/core';
import classes from '../landing.module.css';
import { Section } from './section.tsx';

const PROBLEMS = [
  {
    title: 'Broken delivery',
    text: 'Ads reach the wrong people or nobody, while the campaign still says ACTIVE and the budget still runs.',
    answer: 'Paused for as long as the disruption lasts.',
    icon: 'M9 3v5m6-5v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v2m0 2.5v.5',
  },
  {
    title: 'Bot traffic',
    text: 'With filters out of order, clicks that nobody meant can be counted and billed like any other.',
    answer: 'A paused campaign buys no clicks.',
    icon: 'M6 9h12v9H6zM12 5v4M9.5 13v1m5-1v1M3 13h3m12 0h3',
  },
  {
    title: 'ROAS collapse',
    text: 'Money goes out, few sales come in, and one bad evening pulls down the return of a good week.',
    answer: 'Paused hours cost you nothing.',
    icon: 'M4 6l6 6 3-3 7 8m0-5v5h-5',
  },
  {
    title: 'Overspending after recovery',
    text: 'When delivery returns, pacing may catch up in a hurry and bid high for what is left of the day.',
    answer: 'Resume at once, after a delay, or at 12:01 AM EST.',
    icon: 'M4 17l6-6 3 3 7-8m0 5V6h-5',
  },
  {
    title: 'No notification',
    text: 'Meta notes it on a status page. Nobody tells you, so you find out from your results.',
    answer: 'An email for every pause and every resume.',
    icon: 'M6 17v-6a6 6 0 0 1 9-5.2M18 9v8M4 17h16M10 20h4M4 4l16 16',
  },
  {
    title: 'Zero transparency',
    text: 'Days later nobody can say what ran during the outage, what was stopped, by whom, and why.',
    answer: 'Each act is told with its time and its reason.',
    icon: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM4 20 20 4',
  },
];

export function Problems() {
  return (
    <Section
      id="problems"
      title="An outage is not only Meta’s problem"
      text="Campaigns do not stop by themselves when the machinery behind them does. What that can cost you, and what SmartPause does about it:"
      raised
    >
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" className={classes.list ?? ''}>
        {PROBLEMS.map(({ title, text, answer, icon }) => (
          <Card component="li" key={title} className={classes.problem ?? ''}>
            <svg width="28" height="28" viewBox="0 0 24 24" aria-hidden="true" className={classes.icon}>
              <path
                d={icon}
                fill="none"
                stroke="currentColor"
                strokeWidth="1.7"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
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
