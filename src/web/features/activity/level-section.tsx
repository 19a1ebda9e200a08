import '@mantine/core/styles/Table.css';
import { SimpleGrid, Skeleton, Table } from '@mantine/core';
import { Suspense, lazy } from 'react';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { StatusMark } from '../status/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { exactDuration, exactTime } from '../../lib/exact-times.ts';
import classes from './activity.module.css';
import type { LevelStep } from './level-steps.ts';
import { stepsOf } from './level-steps.ts';

/** Not preloaded when idle, because it is large. Without it the table has all facts. */
const LevelChart = lazy(async () => ({
  default: await import('./level-chart.tsx').then(
    (part) => part.LevelChart,
    () => Nothing,
  ),
}));

function Nothing(_props: { steps: readonly LevelStep[] }) {
  return null;
}

interface LevelSectionProps {
  levels: readonly { level: Level; at: string }[];
  startedAt: string;
  endedAt: string | null;
}

/** The level over time, as a picture and as a table. */
export function LevelSection({ levels, startedAt, endedAt }: LevelSectionProps) {
  const now = useNow();
  const start = Date.parse(startedAt);
  const end = endedAt === null ? now : Date.parse(endedAt);
  const steps = stepsOf(levels, end);
  if (steps.length === 0) return null;
  const inWords = steps
    .map(({ level, from }) => `${LEVEL_WORDS[level]} from ${exactTime(from, start)}`)
    .join(', ');
  return (
    <SectionCard id="level" title="Level over time">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div role="img" aria-label={`${inWords}, until ${exactTime(end, start)}`} className={classes.chart}>
          <Suspense fallback={<Skeleton h="100%" />}>
            <LevelChart steps={steps} />
          </Suspense>
        </div>
        <Table
          aria-labelledby="level-title"
          data={{
            head: ['Since (EST)', 'Level', 'For'],
            body: steps.map(({ level, from, to }) => [
              <Time key="since" at={from}>
                {exactTime(from, start)}
              </Time>,
              <StatusMark key="level" level={level} />,
              // The level that ended the outage.
              to <= from && endedAt !== null ? '' : exactDuration(to - from),
            ]),
          }}
        />
      </SimpleGrid>
    </SectionCard>
  );
}
