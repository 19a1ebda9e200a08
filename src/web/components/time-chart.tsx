import { clockTime, shortDate } from '#core/new-york.ts';
import { wallTime } from '#core/time-zone.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, minutes } from '#core/time.ts';

const ZONE = 'America/New_York';
const PLOT = 120;
const AXIS = 26;
/** For the names of the lines. */
const GUTTER = 56;

interface TimeChartProps {
  /** What the picture says, for those who do not see it. */
  label: string;
  from: Instant;
  to: Instant;
  /** `height` from 0 to 1. */
  bars: readonly { from: Instant; to: Instant; height: number; color: string }[];
  /** Horizontal lines with their names. */
  lines: readonly { height: number; label: string; isMarked: boolean }[];
  /** A time behind the bars, which the legend names. */
  band?: { from: Instant; to: Instant; color: string; label: string };
}

/** Bars over a time axis in New York's zone, as wide as its place, in the colours of the scheme. */
export function TimeChart({ label, from, to, bars, lines, band }: TimeChartProps) {
  const x = (at: Instant): number => (100 * (at - from)) / Math.max(1, to - from);
  const hasMark = lines.some(({ isMarked }) => isMarked);
  const y = (height: number): number => PLOT - height * (PLOT - 20);
  return (
    <svg
      role="img"
      aria-label={label}
      height={PLOT + AXIS + (hasMark || band !== undefined ? 22 : 0)}
      fontSize={12}
      fill="var(--mantine-color-dimmed)"
      className="figures"
      style={{
        ...{ display: 'block', overflow: 'visible', printColorAdjust: 'exact' },
        ...{ width: `calc(100% - ${GUTTER}px)`, marginInlineStart: GUTTER },
      }}
    >
      {band !== undefined && <Band {...band} x={x(band.from)} end={x(band.to)} />}
      {bars.map((bar) => (
        <g key={bar.from} fill={bar.color}>
          <Bar
            x={x(bar.from)}
            to={x(bar.to)}
            top={y(bar.height)}
            height={PLOT - y(bar.height)}
            opacity={0.16}
          />
          <Bar x={x(bar.from)} to={x(bar.to)} top={y(bar.height)} height={3} opacity={1} />
        </g>
      ))}
      <Line y={PLOT} />
      {lines.map((line) => (
        <g key={line.label}>
          <Line y={y(line.height)} isDashed={line.isMarked} />
          <text
            x={-8}
            y={y(line.height) + 4}
            textAnchor="end"
            {...(line.isMarked && { fontWeight: 600, fill: 'var(--mantine-color-text)' })}
          >
            {line.label}
          </text>
        </g>
      ))}
      {timeTicks(from, to).map(({ at, text }) => (
        <g key={at}>
          <line x1={`${x(at)}%`} x2={`${x(at)}%`} y1={PLOT} y2={PLOT + 5} stroke="currentColor" />
          <text x={`${x(at)}%`} y={PLOT + 20} textAnchor={x(at) > 92 ? 'end' : 'middle'}>
            {text}
          </text>
        </g>
      ))}
      {hasMark && <ThresholdKey />}
    </svg>
  );
}

function ThresholdKey() {
  return (
    <g transform={`translate(0 ${PLOT + AXIS + 14})`}>
      <Line y={-4} x2={20} isDashed />
      <text x={26}>Your threshold</text>
    </g>
  );
}

/** Behind the bars, with its name below the axis. */
function Band({ x, end, color, label }: { x: number; end: number; color: string; label: string }) {
  return (
    <>
      <g fill={color}>
        <Bar x={x} to={end} top={0} height={PLOT} opacity={0.22} />
        <rect y={PLOT + AXIS + 4} width={20} height={12} opacity={0.22} />
      </g>
      <text x={26} y={PLOT + AXIS + 14}>
        {label}
      </text>
    </>
  );
}

function Bar({ x, to, top, height, opacity }: Record<'x' | 'to' | 'top' | 'height' | 'opacity', number>) {
  // A short one stays visible.
  return <rect x={`${x}%`} y={top} width={`${Math.max(to - x, 0.4)}%`} height={height} opacity={opacity} />;
}

function Line({ y, x2 = '100%', isDashed = false }: { y: number; x2?: number | string; isDashed?: boolean }) {
  const look = isDashed
    ? { stroke: 'var(--mantine-color-dimmed)', strokeDasharray: '4 4' }
    : { stroke: 'var(--mantine-color-default-border)' };
  return <line x1="0" x2={x2} y1={y} y2={y} {...look} />;
}

const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map(minutes),
  ...[1, 2, 3, 6, 12].map(hours),
  ...[1, 2, 3, 7, 14, 30].map(days),
];
/** More do not fit into the width of a phone. */
const TICKS_MAX = 5;

/** '9:00 PM EST'; after one of the same half of the day, '9:15'. Of whole hours '6 PM EST', then '12 AM'. */
function clockLabel(at: Instant, before: Instant | undefined, step: number): string {
  const [time = '', half = '', zone = ''] = clockTime(at).split(' ');
  if (step >= hours(3)) return `${time.replace(':00', '')} ${half}${before === undefined ? ` ${zone}` : ''}`;
  if (before === undefined) return `${time} ${half} ${zone}`;
  return clockTime(before).includes(half) ? time : `${time} ${half}`;
}

/** Whole hours or minutes in New York, at most five of them; the beginning if there is none. The first names the zone. */
export function timeTicks(from: Instant, to: Instant): { at: Instant; text: string }[] {
  const step = STEPS.find((one) => (to - from) / one < TICKS_MAX) ?? days(90);
  const offset = wallTime(ZONE, from) - from;
  const ticks: { at: Instant; text: string }[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step)
    ticks.push({
      at,
      text: step < days(1) ? clockLabel(at, ticks.at(-1)?.at, step) : shortDate(at),
    });
  return ticks.length > 0 ? ticks : [{ at: from, text: clockTime(from) }];
}
