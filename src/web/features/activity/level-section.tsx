import { SimpleGrid, Table, VisuallyHidden } from '@mantine/core';
import { LEVEL_WORDS, durationLabel } from '#core/labels.ts';
import type { Level, Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS, levelNumber } from '#core/smartpause/level.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { Time } from '../../components/time.tsx';
import { exactTime } from '../../lib/exact-times.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './activity.module.css';
import { LEVEL_COLORS, StatusMark } from '../status/status-mark.tsx';

interface LevelStep {
  level: Level;
  from: number;
  to: number;
}

interface LevelSectionProps {
  levels: readonly { level: Level; at: string }[];
  startedAt: string;
  endedAt: string | null;
  threshold: Threshold | null;
}

/** The level over time, as a picture and as a table. */
export function LevelSection({ levels, startedAt, endedAt, threshold }: LevelSectionProps) {
  const now = useNow();
  const start = Date.parse(startedAt);
  const end = endedAt === null ? now : Date.parse(endedAt);
  // Each level lasts until the next one, or until the end of the outage.
  const steps = levels.map(({ level, at }, index): LevelStep => {
    const from = Date.parse(at);
    const next = levels[index + 1];
    return { level, from, to: next === undefined ? Math.max(end, from) : Date.parse(next.at) };
  });
  if (steps.length === 0) return null;
  const table = (
    <Table
      aria-labelledby="level-title"
      horizontalSpacing={4}
      className={classes.levels}
      data={{
        head: ['Since (EST)', 'Level', 'For'],
        body: steps.map(({ level, from, to }) => [
          <Time key="since" at={from}>
            {exactTime(from, start)}
          </Time>,
          <StatusMark key="level" level={level} />,
          // The level that ended the outage.
          to <= from && endedAt !== null ? '–' : durationLabel(to - from),
        ]),
      }}
    />
  );
  // Of one level the facts above have said it all.
  const isOne = steps.filter(({ level }) => level !== 'UP').length < 2;
  return (
    <SectionCard id="level" title="Level over time">
      <SimpleGrid
        cols={{ base: 1, ...(!isOne && { md: 2 }) }}
        spacing={{ base: 'md', md: 40 }}
        style={{ alignItems: 'start' }}
      >
        <LevelChart steps={steps} threshold={threshold} isOver={endedAt !== null} />
        {isOne ? <VisuallyHidden>{table}</VisuallyHidden> : table}
      </SimpleGrid>
    </SectionCard>
  );
}

interface LevelChartProps extends Pick<LevelSectionProps, 'threshold'> {
  steps: readonly LevelStep[];
  isOver: boolean;
}

/** A bar for each level, as wide as it lasted; UNKNOWN leaves a gap. The table beside it has the words. */
function LevelChart({ steps, threshold, isOver }: LevelChartProps) {
  const start = steps[0]?.from ?? 0;
  const end = steps.at(-1)?.to ?? start;
  // The level before and after it, so that an outage of one level is no plain field.
  const margin = (end - start) * 0.06;
  const inWords = steps.map(({ level, from }) => `${LEVEL_WORDS[level]} from ${exactTime(from, start)}`);
  return (
    <TimeChart
      label={`${inWords.join(', ')}, until ${exactTime(end, start)} EST`}
      from={start - margin}
      to={isOver ? end + margin : end}
      bars={steps
        .filter(({ level }) => level !== 'UNKNOWN' && level !== 'UP')
        .map(({ level, ...span }) => ({
          ...span,
          height: levelNumber(level) / 3,
          color: LEVEL_COLORS[level],
        }))}
      lines={THRESHOLDS.map((one, index) => ({
        height: (index + 1) / 3,
        label: LEVEL_NAMES[one],
        isMarked: one === threshold,
      }))}
    />
  );
}

const LEVEL_NAMES = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' };
