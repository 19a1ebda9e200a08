import { Box, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Level } from '#core/smartpause/level.ts';
import { NewTabLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { StatusShape } from '../status/status-mark.tsx';
import classes from './landing.module.css';

/** The minutes from 8 PM to midnight on January 8, 2026, and those when the disruption began and ended. */
const [MINUTES, HIGH_AT, OVER_AT, RESUMED_AT] = [240, 70, 188, 193];

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

/** UTC is a day ahead: January 9. */
const EVENTS: readonly (readonly [time: string, utc: string, level: Level, what: string, then: string])[] = [
  [
    '8:30–8:45 PM',
    '01:30–01:45',
    'UP',
    'Advertisers notice delivery problems',
    'Meta’s status page still shows no disruption, so nothing is paused yet.',
  ],
  [
    '9:10 PM',
    '02:10',
    'HIGH_DISRUPTION',
    'Meta reports a high disruption',
    'SmartPause pauses your campaigns and emails you. Without it, they keep spending.',
  ],
  [
    '11:08 PM',
    '04:08',
    'UP',
    'Meta reports recovery',
    'Your 5-minute delay starts. Without SmartPause, spend spikes as Meta catches up.',
  ],
  [
    '11:13 PM',
    '04:13',
    'UP',
    'The same campaigns run again',
    'They’re back as you left them, and you get an email.',
  ],
];

const LABEL =
  'Timeline of the Meta outage on January 8, 2026. Meta’s status page shows a high disruption from 9:10 PM to 11:08 PM EST. ' +
  'Without SmartPause, campaigns spend during the outage and catch up after it. With SmartPause, they are paused from 9:10 PM to 11:13 PM EST, then continue as before.';

/** A real incident with and without the product, as a picture and as text. */
export function OutageEvening() {
  return (
    <Card component="figure" m={0} p={{ base: 'md', sm: 'xl' }}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="lg" fz={{ base: 13, xs: 'sm' }} role="img" aria-label={LABEL}>
          {ROWS.map(([name, ...parts]) => (
            <div key={name}>
              <b>{name}</b>
              <Bar parts={parts} />
            </div>
          ))}
          <Group mt={-12} gap={0} c="dimmed">
            <Box w={share(HIGH_AT)}>8 PM</Box>
            <Box w={share(OVER_AT - HIGH_AT)}>9:10</Box>
            <Box flex={1}>11:08</Box>
            EST
          </Group>
        </Stack>
        <figcaption>
          <Title order={3} fz="md">
            The outage of January 8, 2026, replayed
          </Title>
          <Stack component="ol" className={classes.list ?? ''} my="md">
            {EVENTS.map(([time, utc, level, what, then]) => (
              <li key={time}>
                <Muted>
                  <StatusShape level={level} /> <time>{time} EST</time> ({utc} UTC)
                </Muted>
                <Text fz="sm" fw={600}>
                  {what}
                </Text>
                <Muted lh={1.5}>{then}</Muted>
              </li>
            ))}
          </Stack>
          <Muted>
            UTC times are those of January 9. Outage times:{' '}
            <NewTabLink href="https://adstatus.app/blog/meta-outage-january-8-2026">adstatus.app</NewTabLink>,
            confidence high. SmartPause’s actions are an example. Every outage is different.
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

function share(minutes: number): string {
  return `${(100 * minutes) / MINUTES}%`;
}
