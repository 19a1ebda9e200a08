import { readArguments, whole } from '../../scripts/arguments.ts';
import { PANEL_NAMES } from '../../src/core/detection/parameters.ts';
import type { Fleet } from './fleet.ts';
import type { Replayed } from './incidents.ts';
import { replayIncidents } from './incidents.ts';
import { playYear } from './year.ts';

const USAGE = `npm run verify -- early-warning [--years N]

Replays the documented incidents and N generated years (100) for installations of 1, 20 and 1,000 businesses, and prints
the tables of docs/early-warning.md. Ends with 1 when an incident that calls feel is not suspected before the page says so.`;

const FLEETS: readonly Fleet[] = [
  { businesses: 1, hasCanary: true },
  { businesses: 20, hasCanary: true },
  { businesses: 1000, hasCanary: false },
  { businesses: 1000, hasCanary: true },
];
const nameOf = ({ businesses, hasCanary }: Fleet): string =>
  `${businesses.toLocaleString('en-US')}${hasCanary ? ' and a canary' : ''}`;

/** @returns the exit code */
export function replayEarlyWarning(args: string[]): number {
  const years = readArguments(
    { usage: USAGE, names: ['years'] },
    ({ values }) => whole('years', values.years ?? '100', 2, 10_000),
    args,
  );
  const replays = FLEETS.map((fleet) => replayIncidents(fleet, 'incidents'));
  print(['Incident', 'On the page', ...FLEETS.map(nameOf)], incidentRows(replays));
  print(
    ['Businesses', 'Watched', 'By its canary', 'Suspected', 'By its canary'],
    FLEETS.map((fleet) => [nameOf(fleet), ...alarmsOf(fleet, years)]),
  );
  const late = replays.flatMap((replay) => replay.filter(isLate));
  for (const { day } of late)
    console.error(`The incident of ${day} is not suspected before the page says so.`);
  return late.length === 0 ? 0 : 1;
}

/** What calls of several kinds feel is suspected, and before the page where its time is known. */
function isLate({ hasSignals, isNarrow, page, suspected }: Replayed): boolean {
  if (!hasSignals || isNarrow) return false;
  return suspected === null || (page !== null && suspected >= page);
}

function incidentRows(replays: readonly (readonly Replayed[])[]): string[][] {
  return (replays[0] ?? []).map(({ day, components, page }, index) => [
    `${day} ${components}`,
    page === null ? 'not known' : `${page} min`,
    ...replays.map((replay) => {
      const suspected = replay[index]?.suspected ?? null;
      return suspected === null ? '–' : `${suspected} min`;
    }),
  ]);
}

/** How often a year, with the 95 % interval of the mean and the worst year. */
function alarmsOf(fleet: Fleet, years: number): string[] {
  const played = Array.from({ length: years }, (_one, index) => playYear(fleet, `year ${index + 1}`));
  return (['WATCH', 'SUSPECTED'] as const).flatMap((state) =>
    PANEL_NAMES.map((panel) => {
      const counts = played.map((begun) => begun[panel][state]);
      const mean = counts.reduce((sum, one) => sum + one, 0) / years;
      const variance = counts.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (years - 1);
      const half = 1.96 * Math.sqrt(variance / years);
      return `${mean.toFixed(2)} ± ${half.toFixed(2)}, at most ${Math.max(...counts)}`;
    }),
  );
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
