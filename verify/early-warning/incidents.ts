import { PANEL_NAMES } from '../../src/core/detection/parameters.ts';
import { CALL_KINDS } from '../../src/core/detection/votes.ts';
import { documentedIncidents } from '../../src/core/outages/documented-incidents.ts';
import { minutes } from '../../src/core/time.ts';
import { createRandom } from '../fixtures/random.ts';
import type { Fleet, Trouble } from './fleet.ts';
import { PlayedFleet } from './fleet.ts';

/**
 * What calls to Meta probably did in each documented incident, by its day. Assumed from what the publications say; null: they name
 * nothing that a call would feel.
 */
const FELT: Record<string, Trouble | null> = {
  '2021-10-04': { share: 1, kinds: CALL_KINDS },
  '2022-11-10': { share: 0.4, kinds: CALL_KINDS },
  '2023-04-23': null,
  '2024-03-05': { share: 0.9, kinds: CALL_KINDS },
  '2024-12-11': { share: 0.6, kinds: CALL_KINDS },
  '2025-09-09': null,
  '2026-01-09': null,
  '2026-03-03': { share: 0.4, kinds: CALL_KINDS },
  '2026-03-17': null,
  '2026-06-12': { share: 0.8, kinds: ['writes'] },
};

export interface Replayed {
  day: string;
  components: string;
  /** Minutes after it was felt until the page said so; null: a time is not known. */
  page: number | null;
  /** Until it was suspected; null: it was not. */
  suspected: number | null;
  hasSignals: boolean;
  /** One kind of call alone fails, which is never suspected. */
  isNarrow: boolean;
}

const LONGEST = 180;

/** Each documented incident with an installation of this size. */
export function replayIncidents(fleet: Fleet, seed: string): Replayed[] {
  return documentedIncidents(() => true).map(({ dayOf, feltAt, startedAt, components }) => {
    const day = new Date(dayOf).toISOString().slice(0, 10);
    const felt = FELT[day];
    if (felt === undefined) throw new Error(`what calls did on ${day} is not assumed`);
    const page = feltAt === null || startedAt === null ? null : Math.round((startedAt - feltAt) / minutes(1));
    const suspected = felt === null ? null : replay(fleet, felt, `${seed} ${day}`);
    return {
      day,
      components: components.join(', '),
      page,
      suspected,
      hasSignals: felt !== null,
      isNarrow: felt?.kinds.length === 1,
    };
  });
}

/** @returns the minutes until it is suspected; null: it is not */
function replay(fleet: Fleet, felt: Trouble, seed: string): number | null {
  const played = new PlayedFleet(fleet, createRandom(seed));
  const hour = 60;
  for (let minute = 1; minute <= hour + LONGEST; minute++) {
    const results = played.minute(minutes(minute), minute > hour ? felt : undefined);
    const isSuspected = PANEL_NAMES.some((panel) => results[panel].test.state === 'SUSPECTED');
    if (isSuspected) return minute - hour;
  }
  return null;
}
