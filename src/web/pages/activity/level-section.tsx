import { Card, Skeleton, Title } from '@mantine/core';
import { Suspense, lazy } from 'react';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { exactDuration, exactTime } from '../../text/exact-times.ts';
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
  const end = endedAt === null ? now : Date.parse(endedAt);
  const steps = stepsOf(levels, end);
  if (steps.length === 0) return null;
  const start = Date.parse(startedAt);
  const inWords = steps
    .map(({ level, from }) => `${LEVEL_WORDS[level]} from ${exactTime(from, start)}`)
    .join(', ');
  return (
    <Card component="section" aria-labelledby="level">
      <Title order={2} fz="lg" id="level" mb="md">
        Level over time
      </Title>
      <div className={classes.levels}>
        <div role="img" aria-label={`${inWords}, until ${exactTime(end, start)}`} className={classes.chart}>
          <Suspense fallback={<Skeleton h="100%" />}>
            <LevelChart steps={steps} />
          </Suspense>
        </div>
        <table className={classes.levelTable} aria-labelledby="level">
          <thead>
            <tr>
              <th scope="col">Since (EST)</th>
              <th scope="col">Level</th>
              <th scope="col">For</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ level, from, to }, index) => (
              <tr key={from}>
                <td>
                  <Time at={from}>{exactTime(from, start)}</Time>
                </td>
                <td>
                  <StatusMark level={level} />
                </td>
                <td>
                  {endedAt !== null && index === steps.length - 1 && to <= from
                    ? ''
                    : exactDuration(to - from)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
