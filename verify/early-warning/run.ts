import { readArguments, whole } from '../../scripts/arguments.ts';
import { DELIVERY, PANEL_NAMES } from '../../src/core/detection/parameters.ts';
import { countPauses, playDeliveryYear } from './delivery.ts';
import type { Fleet } from './fleet.ts';
import type { Replayed } from './incidents.ts';
import { replayIncidents } from './incidents.ts';
import { playYear } from './year.ts';

const USAGE = `npm run verify -- early-warning [--years N]

Replays the documented incidents and N generated years (100) for installations of 1, 20 and 1,000 businesses, and prints
the tables of docs/early-warning.md. Ends with 1 when an incident that calls feel is not suspected before the page says so,
one that only delivery feels not within an hour, or a generated year has a pause.`;

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
  const names = FLEETS.map(nameOf);
  print(['Calls suspected after the incident', 'On the page', ...names], incidentRows(replays, 'suspected'));
  print(['Delivery suspected', 'On the page', ...names], incidentRows(replays, 'delivery'));
  print(['Paused by both', 'On the page', ...names], incidentRows(replays, 'paused'));
  const played = FLEETS.map((fleet) =>
    Array.from({ length: years }, (_one, index) => playBoth(fleet, `year ${index + 1}`)),
  );
  print(
    ['Businesses', 'Watched', 'By its canary', 'Suspected', 'By its canary'],
    played.map((all, index) => [
      names[index] ?? '',
      ...(['WATCH', 'SUSPECTED'] as const).flatMap((state) =>
        PANEL_NAMES.map((panel) => meanOf(all.map(({ begun }) => begun[panel][state]))),
      ),
    ]),
  );
  print(
    ['Businesses', 'Delivery low', 'Delivery high', 'Pauses'],
    played.map((all, index) => [
      names[index] ?? '',
      ...(['low', 'high'] as const).map((direction) => meanOf(all.map((one) => one[direction]))),
      meanOf(all.map(({ pauses }) => pauses)),
    ]),
  );
  const late = replays.flatMap((replay, index) =>
    replay.filter((one) => isLate(one) || isDeliveryLate(one, FLEETS[index])),
  );
  for (const { day } of late)
    console.error(`The incident of ${day} is not suspected before the page says so, or within an hour.`);
  const pauses = played.flat().reduce((sum, one) => sum + one.pauses, 0);
  if (pauses > 0) console.error(`${pauses} pauses without an incident.`);
  return late.length === 0 && pauses === 0 ? 0 : 1;
}

/** What calls of several kinds feel is suspected, and before the page where its time is known. */
function isLate({ hasSignals, isNarrow, page, suspected }: Replayed): boolean {
  if (!hasSignals || isNarrow) return false;
  return suspected === null || (page !== null && suspected >= page);
}

const FEW = 2 * DELIVERY.accounts;
const SLOWEST = 60;

/** Where calls work and enough ad accounts are looked at, their delivery is suspected within an hour. */
function isDeliveryLate({ hasSignals, hasDelivery, delivery }: Replayed, fleet?: Fleet): boolean {
  if (hasSignals || !hasDelivery || (fleet?.businesses ?? 0) < FEW) return false;
  return delivery === null || delivery > SLOWEST;
}

function incidentRows(
  replays: readonly (readonly Replayed[])[],
  of: 'suspected' | 'delivery' | 'paused',
): string[][] {
  return (replays[0] ?? []).map(({ day, components, page }, index) => [
    `${day} ${components}`,
    page === null ? 'not known' : `${page} min`,
    ...replays.map((replay) => {
      const after = replay[index]?.[of] ?? null;
      return after === null ? '–' : `${after} min`;
    }),
  ]);
}

/** A year of calls and one of delivery; both are played apart. */
function playBoth(fleet: Fleet, seed: string) {
  const { begun, suspected: calls } = playYear(fleet, seed);
  const { suspected } = deliveryYear(fleet.businesses, seed);
  return {
    begun,
    low: suspected.low.length,
    high: suspected.high.length,
    pauses: countPauses(calls, suspected.low),
  };
}

/** A canary makes no difference to it. */
function deliveryYear(businesses: number, seed: string) {
  const key = `${businesses} ${seed}`;
  const year = deliveryYears.get(key) ?? playDeliveryYear(businesses, `${seed} delivery`);
  deliveryYears.set(key, year);
  return year;
}
const deliveryYears = new Map<string, ReturnType<typeof playDeliveryYear>>();

/** With the 95 % interval of the mean, and the worst year. */
function meanOf(counts: readonly number[]): string {
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  const variance = counts.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (counts.length - 1);
  const half = 1.96 * Math.sqrt(variance / counts.length);
  return `${mean.toFixed(2)} ± ${half.toFixed(2)}, at most ${Math.max(...counts)}`;
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
