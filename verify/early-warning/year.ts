import type { Interval } from './delivery.ts';
import type { Trouble, Fleet } from './fleet.ts';
import { PlayedFleet, USUALLY_FAILING, votesAMinute } from './fleet.ts';
import { PANEL_NAMES } from '../../src/core/detection/parameters.ts';
import type { Panel } from '../../src/core/detection/parameters.ts';
import type { DetectionState } from '../../src/core/detection/sequential-test.ts';
import { CALL_KINDS } from '../../src/core/detection/votes.ts';
import { minutes } from '../../src/core/time.ts';
import { createRandom } from '../fixtures/random.ts';
import type { Random } from '../fixtures/random.ts';

const YEAR = 525_600;

/** What an ordinary year has, in minutes. All of it is assumed: nothing of it is published for Meta. */
const ORDINARY: { times: number; lasts: (random: Random) => number; trouble: (random: Random) => Trouble }[] =
  [
    // Short failures of a part of the API: one a day, of three minutes on average.
    {
      times: 365,
      lasts: (random) => 1 - 3 * Math.log(1 - random.next()),
      trouble: (random) => ({ share: 0.2 + 0.8 * random.next(), kinds: CALL_KINDS }),
    },
    // Our own network.
    {
      times: 12,
      lasts: (random) => random.whole(2, 60),
      trouble: () => ({ share: 1, kinds: CALL_KINDS, isOurs: true }),
    },
    // Tokens of many users who logged in together end together.
    {
      times: 2,
      lasts: (random) => random.whole(10, 60),
      trouble: () => ({ share: 0.5, kinds: CALL_KINDS, refusesTokens: true }),
    },
    // One kind of call alone. What Meta refuses of a broken version of ours has no vote, so nothing is played for it.
    {
      times: 4,
      lasts: () => 60,
      trouble: () => ({ share: 0.9, kinds: ['log'] }),
    },
  ];

/** How often a state began in a year without an incident. */
type Begun = Record<Panel, { WATCH: number; SUSPECTED: number }>;

export interface PlayedYear {
  begun: Begun;
  /** In minutes of the year: calls were suspected, by either test. */
  suspected: Interval[];
}

/** Plays a generated year. Ordinary minutes at rest are skipped, up to one with a failed call. */
export function playYear(fleet: Fleet, seed: string): PlayedYear {
  const random = createRandom(seed);
  const troubles = planYear(random.for('troubles'));
  const played = new PlayedFleet(fleet, random.for('calls'));
  const begun: Begun = { calls: { WATCH: 0, SUSPECTED: 0 }, canary: { WATCH: 0, SUSPECTED: 0 } };
  const states: Partial<Record<Panel, DetectionState>> = {};
  const suspected: Interval[] = [];
  let open: Interval | null = null;
  const gaps = random.for('gaps');
  const calls = votesAMinute(fleet) + 3;
  const failureEvery = 1 / (calls * USUALLY_FAILING);
  let next = 0;
  for (let minute = 0; minute < YEAR; minute++) {
    while ((troubles[next]?.until ?? Infinity) <= minute) next++;
    let trouble = (troubles[next]?.from ?? Infinity) <= minute ? troubles[next]?.trouble : undefined;
    if (trouble === undefined && played.isAtRest()) {
      const gap = Math.floor(-failureEvery * Math.log(1 - gaps.next()));
      const from = troubles[next]?.from ?? Infinity;
      minute = Math.min(minute + gap, from);
      // One failure on average, so that two in a minute are more frequent than in fact.
      trouble = minute === from ? troubles[next]?.trouble : { share: 1 / calls, kinds: CALL_KINDS };
    }
    const results = played.minute(minutes(minute + 1), trouble);
    for (const panel of PANEL_NAMES) {
      const { state } = results[panel].test;
      if (state !== states[panel] && (state === 'WATCH' || state === 'SUSPECTED')) begun[panel][state]++;
      states[panel] = state;
    }
    if (!PANEL_NAMES.some((panel) => states[panel] === 'SUSPECTED')) open = null;
    else if (open === null) suspected.push((open = { from: minute, until: minute + 1 }));
    else open.until = minute + 1;
  }
  return { begun, suspected };
}

function planYear(random: Random) {
  return ORDINARY.flatMap(({ times, lasts, trouble }) =>
    Array.from({ length: times }, () => {
      const from = random.whole(0, YEAR - 200);
      return { from, until: from + Math.max(1, Math.round(lasts(random))), trouble: trouble(random) };
    }),
  ).toSorted((a, b) => a.from - b.from);
}
