import { Box, Group, SimpleGrid, Table } from '@mantine/core';
import { LEVEL_WORDS, durationLabel } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import { levelNumber } from '#core/smartpause/level.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { exactTime } from '../../lib/exact-times.ts';
import { useNow } from '../../lib/use-now.ts';
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
}

/** The level over time, as a picture and as a table. */
export function LevelSection({ levels, startedAt, endedAt }: LevelSectionProps) {
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
  return (
    <SectionCard id="level" title="Level over time">
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <LevelChart steps={steps} />
        <Table
          aria-labelledby="level-title"
          horizontalSpacing={4}
          data={{
            head: ['Since (EST)', 'Level', 'For'],
            body: steps.map(({ level, from, to }) => [
              <Time key="since" at={from}>
                {exactTime(from, start)}
              </Time>,
              <StatusMark key="level" level={level} />,
              // The level that ended the outage.
              to <= from && endedAt !== null ? '' : durationLabel(to - from),
            ]),
          }}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

const HEIGHT = 120;

/** A bar for each level, as wide as it lasted; UNKNOWN leaves a gap. The table beside it has the words. */
function LevelChart({ steps }: { steps: readonly LevelStep[] }) {
  const start = steps[0]?.from ?? 0;
  const end = steps.at(-1)?.to ?? start;
  const inWords = steps.map(({ level, from }) => `${LEVEL_WORDS[level]} from ${exactTime(from, start)}`);
  return (
    <Box
      role="img"
      aria-label={`${inWords.join(', ')}, until ${exactTime(end, start)}`}
      fz="xs"
      c="dimmed"
      className="figures"
    >
      <Group
        gap={1}
        wrap="nowrap"
        align="flex-end"
        h={HEIGHT}
        style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
      >
        {steps.map(({ level, from, to }) => (
          <Box
            key={from}
            flex={`${Math.max(1, to - from)} 0 0`}
            h={level === 'UNKNOWN' ? 0 : 3 + ((HEIGHT - 3) * levelNumber(level)) / 3}
            opacity={level === 'UNKNOWN' ? 0 : 1}
            c={LEVEL_COLORS[level]}
            bg="color-mix(in srgb, currentColor 20%, transparent)"
            style={{ borderTop: '3px solid' }}
          />
        ))}
      </Group>
      <Group justify="space-between" mt={4}>
        <span>{exactTime(start, start)}</span>
        <span>{exactTime(end, start)}</span>
      </Group>
    </Box>
  );
}
