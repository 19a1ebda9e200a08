import '@mantine/core/styles/Table.css';
import { Box, Group, SimpleGrid, Stack, Table } from '@mantine/core';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import { levelNumber } from '#core/smartpause/level.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { exactDuration, exactTime } from '../../lib/exact-times.ts';
import { useNow } from '../../lib/use-now.ts';
import { StatusMark } from '../status/status-mark.tsx';

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
              to <= from && endedAt !== null ? '' : exactDuration(to - from),
            ]),
          }}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

const HEIGHT = 160;
const NAMES = ['High', 'Medium', 'Low', 'Up'];

/** A step line; UNKNOWN leaves a gap. The table beside it has the same facts. */
function LevelChart({ steps }: { steps: readonly LevelStep[] }) {
  const start = steps[0]?.from ?? 0;
  const end = steps.at(-1)?.to ?? start;
  const x = (at: number) => (100 * (at - start)) / Math.max(1, end - start);
  const line = steps.map(({ level, from, to }, index) => {
    if (level === 'UNKNOWN') return '';
    const isJoined = index > 0 && steps[index - 1]?.level !== 'UNKNOWN';
    return `${isJoined ? 'L' : 'M'}${x(from)} ${3 - levelNumber(level)}H${x(to)}`;
  });
  const areas = steps.filter(({ level }) => level !== 'UNKNOWN');
  const inWords = steps.map(({ level, from }) => `${LEVEL_WORDS[level]} from ${exactTime(from, start)}`);
  const stroke = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const;
  return (
    <Group
      role="img"
      aria-label={`${inWords.join(', ')}, until ${exactTime(end, start)}`}
      gap="sm"
      wrap="nowrap"
      align="flex-start"
      fz="xs"
      c="dimmed"
      className="figures"
    >
      {/* Each name is centred on its line. */}
      <Stack gap={0} justify="space-between" h={HEIGHT + 12} lh="12px">
        {NAMES.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </Stack>
      <Box flex={1} pt={6}>
        <svg viewBox="0 0 100 3" preserveAspectRatio="none" width="100%" height={HEIGHT} overflow="visible">
          <path
            d="M0 0H100M0 1H100M0 2H100M0 3H100"
            stroke="var(--mantine-color-default-border)"
            {...stroke}
          />
          {areas.map(({ level, from, to }) => (
            <rect
              key={from}
              {...{
                x: x(from),
                width: x(to) - x(from),
                y: 3 - levelNumber(level),
                height: levelNumber(level),
              }}
              fill="var(--status-high)"
              opacity={0.14}
            />
          ))}
          <path d={line.join('')} stroke="var(--status-high)" strokeWidth={2} {...stroke} />
        </svg>
        <Group justify="space-between" mt={4}>
          <span>{exactTime(start, start)}</span>
          <span>{exactTime(end, start)}</span>
        </Group>
      </Box>
    </Group>
  );
}
