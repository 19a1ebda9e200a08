import './chart-styles.css';
import { AreaChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import { levelNumber } from '#core/smartpause/level.ts';
import { exactTime } from '../../lib/exact-times.ts';
import type { LevelStep } from './level-steps.ts';

const LEVEL_NAMES = ['Up', 'Low', 'Medium', 'High'];
/** Room for the longest name beside the axis. */
const AXIS_WIDTH = 56;

/** A step line of the level; UNKNOWN leaves a gap. The table beside it has the same facts. */
export function LevelChart({ steps }: { steps: readonly LevelStep[] }) {
  const isStill = useReducedMotion();
  const first = steps[0];
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return null;
  const data = [
    ...steps.map(({ level, from }) => ({ at: from, level: valueOf(level) })),
    { at: last.to, level: valueOf(last.level) },
  ];
  return (
    <AreaChart
      h="100%"
      data={data}
      dataKey="at"
      series={[{ name: 'level', label: 'Level', color: 'var(--status-high)' }]}
      curveType="stepAfter"
      connectNulls={false}
      withDots={false}
      withTooltip={false}
      withGradient={false}
      fillOpacity={0.14}
      strokeWidth={2}
      tickLine="none"
      gridAxis="x"
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: [first.from, last.to],
        ticks: [first.from, last.to],
        interval: 0,
        tickFormatter: (at: number) => exactTime(at, first.from),
        padding: { left: 28, right: 28 },
      }}
      yAxisProps={{
        width: AXIS_WIDTH,
        domain: [0, 3],
        ticks: [0, 1, 2, 3],
        tickFormatter: (level: number) => LEVEL_NAMES[level] ?? '',
      }}
      areaProps={{ isAnimationActive: !isStill, animationDuration: 200 }}
      areaChartProps={{ accessibilityLayer: false }}
    />
  );
}

function valueOf(level: LevelStep['level']): number | null {
  return level === 'UNKNOWN' ? null : levelNumber(level);
}
