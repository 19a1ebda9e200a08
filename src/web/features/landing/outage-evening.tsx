import { Box, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Level } from '#core/smartpause/level.ts';
import { NewTabLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { StatusShape } from '../status/status-mark.tsx';
import classes from './landing.module.css';

/** The minutes from 8 PM to midnight on January 8, 2026, and those when the disruption began and ended. */
const [MINUTES, HIGH_AT, OVER_AT, RESUMED_AT] = [240, 70, 188, 193];

/** Spend, by the height of its drawing. */
const [USUAL, SPIKE] = [75, 150];

type Part = readonly [
  until: number,
  text: string,
  color: 'green' | 'red' | 'yellow',
  /** A level of Meta's status page, or the spend. */
  shows: Level | number,
];

/** What holds over the evening, from 8 PM on. */
const ROWS: readonly (readonly [name: string, ...parts: Part[]])[] = [
  [
    'Meta’s status page',
    [HIGH_AT, 'Up', 'green', 'UP'],
    [OVER_AT, 'High disruption', 'red', 'HIGH_DISRUPTION'],
    [MINUTES, 'Up', 'green', 'UP'],
  ],
  [
    'Spend without SmartPause (example)',
    [HIGH_AT, 'Active', 'green', USUAL],
    [OVER_AT, 'Active, on broken delivery', 'red', USUAL],
    [MINUTES, 'Spike', 'red', SPIKE],
  ],
  [
    'Spend with SmartPause (example)',
    [HIGH_AT, 'Active', 'green', USUAL],
    [RESUMED_AT, 'Paused, no spend', 'yellow', 0],
    [MINUTES, 'Active', 'green', USUAL],
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
  'Example: without SmartPause, campaigns spend during the outage, and more than usual after it. With SmartPause, they spend nothing from 9:10 PM to 11:13 PM EST, then continue as before.';

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
            <Box w={share(HIGH_AT)}>8 PM EST</Box>
            <Group w={share(OVER_AT - HIGH_AT)} justify="space-between">
              <span>9:10</span>
              <span>11:08</span>
            </Group>
            <Box ml="auto">12 AM</Box>
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

/** A status fills its row. Spend is an area, as high as its share; what is not spent is an outline. */
function Bar({ parts }: { parts: readonly Part[] }) {
  return (
    <Group gap={2} wrap="nowrap" align="flex-end" mt={8} bdrs="xs" style={{ overflow: 'hidden' }}>
      {parts.map(([until, text, color, shows], index) => (
        <Group
          key={until}
          className={classes.part ?? ''}
          mod={{ spend: typeof shows === 'number' && String(shows) }}
          gap="0 7px"
          justify="center"
          w={share(until - (parts[index - 1]?.[0] ?? 0))}
          h={typeof shows === 'number' ? shows || USUAL : 64}
          px={2}
          pb={typeof shows === 'number' ? 16 : 0}
          lh={1.3}
          fw={600}
          ta="center"
          bg={shows === 0 ? 'none' : `var(--mantine-color-${color}-light)`}
          c={`var(--mantine-color-${color}-light-color)`}
        >
          {typeof shows === 'string' && <StatusShape level={shows} />} {text}
        </Group>
      ))}
    </Group>
  );
}

function share(minutes: number): string {
  return `${(100 * minutes) / MINUTES}%`;
}
