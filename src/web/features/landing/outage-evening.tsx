import { Anchor, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Level } from '#core/smartpause/level.ts';
import { Muted } from '../../components/muted.ts';
import { StatusShape } from '../status/status-mark.tsx';
import classes from './landing.module.css';

// The incident of January 8, 2026, from 8 PM to midnight; the x position of an element is its minute.
const MINUTES = 240;
const [HIGH_AT, OVER_AT, RESUMED_AT] = [70, 188, 193];
const SOURCE = 'https://adstatus.app/blog/meta-outage-january-8-2026';

type Part = readonly [until: number, text: string, color: 'green' | 'red' | 'yellow', level?: Level];

/** What holds over the evening, from 8 PM on. */
const ROWS: readonly (readonly [name: string, ...parts: Part[]])[] = [
  [
    'Meta’s status page',
    [HIGH_AT, 'Up', 'green', 'UP'],
    [OVER_AT, 'High disruption', 'red', 'HIGH_DISRUPTION'],
    [MINUTES, 'Up', 'green', 'UP'],
  ],
  [
    'Your campaigns without SmartPause',
    [HIGH_AT, 'Active', 'green'],
    [OVER_AT, 'Active, on broken delivery', 'red'],
    [MINUTES, 'Catching up', 'red'],
  ],
  [
    'Your campaigns with SmartPause',
    [HIGH_AT, 'Active', 'green'],
    [RESUMED_AT, 'Paused', 'yellow'],
    [MINUTES, 'Active', 'green'],
  ],
];

const EVENTS = [
  {
    time: '8:30–8:45 PM',
    level: 'UP',
    what: 'Advertisers notice delivery problems',
    then: 'Meta’s status page still shows no disruption, so nothing is paused yet.',
  },
  {
    time: '9:10 PM',
    level: 'HIGH_DISRUPTION',
    what: 'Meta reports a high disruption',
    then: 'SmartPause pauses your campaigns and emails you. Without it, they keep spending.',
  },
  {
    time: '11:08 PM',
    level: 'UP',
    what: 'Meta reports recovery',
    then: 'Your 5-minute delay starts. Without SmartPause, spend spikes as Meta catches up.',
  },
  {
    time: '11:13 PM',
    level: 'UP',
    what: 'The same campaigns run again',
    then: 'They’re back as you left them, and you get an email.',
  },
] as const;

const LABEL =
  'Timeline of the Meta outage on January 8, 2026. Meta’s status page shows a high disruption from 9:10 PM to 11:08 PM EST. ' +
  'Without SmartPause, campaigns spend during the outage and catch up after it. With SmartPause, they are paused from 9:10 PM to 11:13 PM EST, then continue as before.';

/** A real incident with and without the product, as a picture and as text. */
export function OutageEvening() {
  return (
    <Card component="figure" m={0} mt={40} p={{ base: 'md', sm: 'xl' }}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack justify="center" gap="lg" fz={{ base: 12, xs: 'sm' }} role="img" aria-label={LABEL}>
          {ROWS.map(([name, ...parts]) => (
            <div key={name}>
              <b>{name}</b>
              <Bar parts={parts} />
            </div>
          ))}
          {/* Labels in HTML keep their size where the picture is small. */}
          <Group pos="relative" mt={-12} justify="space-between" c="dimmed">
            <span>8 PM</span>
            <Moment at={HIGH_AT}>9:10</Moment>
            <Moment at={OVER_AT}>11:08</Moment>
            <span>EST</span>
          </Group>
        </Stack>
        <figcaption>
          <Title order={3} fz="md">
            The outage of January 8, 2026, replayed
          </Title>
          <Stack component="ol" className={classes.list ?? ''} my="md">
            {EVENTS.map(({ time, level, what, then }) => (
              <li key={time}>
                <Muted>
                  <StatusShape level={level} /> <time>{time} EST</time>
                </Muted>
                <Text fz="sm" fw={600}>
                  {what}
                </Text>
                <Muted lh={1.5}>{then}</Muted>
              </li>
            ))}
          </Stack>
          <Muted>
            Outage times:{' '}
            <Anchor href={SOURCE} inherit underline="always">
              adstatus.app
            </Anchor>
            , confidence high. SmartPause’s actions are an example. Every outage is different.
          </Muted>
        </figcaption>
      </SimpleGrid>
    </Card>
  );
}

function Bar({ parts }: { parts: readonly Part[] }) {
  return (
    <Group gap={2} wrap="nowrap" align="stretch" mt={8} bdrs="md" style={{ overflow: 'hidden' }}>
      {parts.map(([until, text, color, level], index) => (
        <Group
          key={until}
          gap="0 7px"
          justify="center"
          w={share(until - (parts[index - 1]?.[0] ?? 0))}
          mih={52}
          px={2}
          py={4}
          fw={600}
          ta="center"
          bg={`var(--mantine-color-${color}-light)`}
          c={`var(--mantine-color-${color}-light-color)`}
        >
          {level !== undefined && <StatusShape level={level} />} {text}
        </Group>
      ))}
    </Group>
  );
}

function Moment({ at, children }: { at: number; children: string }) {
  return (
    <Text
      span
      inherit
      fw="bold"
      c="var(--mantine-color-text)"
      pos="absolute"
      left={share(at)}
      style={{ transform: 'translateX(-50%)' }}
    >
      {children}
    </Text>
  );
}

function share(minutes: number): string {
  return `${(100 * minutes) / MINUTES}%`;
}
