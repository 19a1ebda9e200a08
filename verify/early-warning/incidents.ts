import type { WarningState } from '../../src/core/detection/fusion.ts';
import { nextWarning } from '../../src/core/detection/fusion.ts';
import { PANEL_NAMES } from '../../src/core/detection/parameters.ts';
import { CALL_KINDS } from '../../src/core/detection/votes.ts';
import { documentedIncidents } from '../../src/core/outages/documented-incidents.ts';
import { minutes } from '../../src/core/time.ts';
import { createRandom } from '../fixtures/random.ts';
import type { Disturbance } from './delivery.ts';
import { PlayedDelivery } from './delivery.ts';
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

type Felt = Pick<Disturbance, 'share' | 'spend' | 'cpm'>;

/** What ad accounts probably delivered in it. Assumed as well; no row: as usual. */
const DELIVERED: Record<string, Felt> = {
  '2021-10-04': { share: 1, spend: 0, cpm: 1 },
  // CPM at least doubled in 36 % of them, and the day’s budget was gone by noon in more.
  '2023-04-23': { share: 0.5, spend: 3, cpm: 2.5 },
  '2024-03-05': { share: 0.9, spend: 0.1, cpm: 1 },
  '2024-12-11': { share: 0.7, spend: 0.1, cpm: 1 },
  '2025-09-09': { share: 0.6, spend: 0.1, cpm: 1 },
  '2026-01-09': { share: 0.6, spend: 0.1, cpm: 1 },
  '2026-03-17': { share: 0.6, spend: 0.1, cpm: 1 },
};

export interface Replayed {
  day: string;
  components: string;
  /** Minutes after it was felt until the page said so; null: a time is not known. */
  page: number | null;
  /** Until its calls were suspected, until its delivery was, and until both paused; null: never. */
  suspected: number | null;
  delivery: number | null;
  paused: number | null;
  hasSignals: boolean;
  hasDelivery: boolean;
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
    const delivered = DELIVERED[day];
    return {
      day,
      components: components.join(', '),
      page,
      ...replay(fleet, { felt, delivered }, `${seed} ${day}`),
      hasSignals: felt !== null,
      hasDelivery: delivered !== undefined && felt?.share !== 1,
      isNarrow: felt?.kinds.length === 1,
    };
  });
}

/** An ordinary Wednesday, 3 PM. */
const BEGIN = Date.UTC(2026, 2, 11, 15) / minutes(1);
const BEFORE = 120;

function replay(
  fleet: Fleet,
  { felt, delivered }: { felt: Trouble | null; delivered: Felt | undefined },
  seed: string,
): Pick<Replayed, 'suspected' | 'delivery' | 'paused'> {
  const random = createRandom(seed);
  const calls = new PlayedFleet(fleet, createRandom(seed));
  const delivery = new PlayedDelivery(fleet.businesses, random.for('delivery'), BEGIN - BEFORE);
  const disturbances = delivered === undefined ? [] : [{ ...delivered, from: BEGIN, until: BEGIN + LONGEST }];
  const found: Pick<Replayed, 'suspected' | 'delivery' | 'paused'> = {
    ...{ suspected: null, delivery: null, paused: null },
  };
  let warning: WarningState = 'NORMAL';
  let bothSince: number | null = null;
  for (let minute = 1 - BEFORE; minute <= LONGEST; minute++) {
    const trouble = minute > 0 && felt !== null ? felt : undefined;
    const results = calls.minute(minutes(BEGIN + minute), trouble);
    const failing = trouble?.kinds.includes('spend') === true ? trouble.share : 0;
    const looked = delivery.minute(BEGIN + minute, disturbances, { failing });
    const isUnusual = looked?.state === 'SUSPECTED';
    const evidence = {
      ...{ page: false, isReportingOnly: false },
      calls: PANEL_NAMES.some((panel) => results[panel].test.state === 'SUSPECTED'),
      delivery: isUnusual && looked.evidence.direction === 'low',
    };
    bothSince = evidence.calls && evidence.delivery ? (bothSince ?? minute) : null;
    warning = nextWarning(warning, evidence, bothSince === null ? 0 : minutes(minute - bothSince));
    if (evidence.calls) found.suspected ??= minute;
    if (isUnusual) found.delivery ??= minute;
    if (warning === 'PROBABLE') found.paused ??= minute;
  }
  return found;
}
