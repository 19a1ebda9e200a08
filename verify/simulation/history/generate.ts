import type { ResumeSettings } from '../../../src/core/settings.ts';
import { THRESHOLDS } from '../../../src/core/smartpause/level.ts';
import type { Random } from '../../fixtures/random.ts';
import { type Source, SOURCES } from '../sources.ts';
import { NETWORK_FAULTS } from '../world/network.ts';
import { SERVICES } from '../world/simulators.ts';
import {
  type Level,
  type TimedEvent,
  type WorldEvent,
  DOUBTFUL_ANSWERS,
  INNER_FAULTS,
  PHRASES,
  PLATFORM_ERRORS,
} from './events.ts';
import { ACCOUNTS, ALL, USERS } from './fixture.ts';
import { SCENARIOS } from './scenarios.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
/** Time for a scenario before other events happen. */
const SCENARIO_MS = 45 * MINUTE;

/** Days; some are near a change between standard and daylight time in New York. */
const STARTS = [
  ...['2026-03-07T20:00Z', '2026-10-31T20:00Z', '2026-01-14T08:00Z', '2026-07-03T16:00Z'],
  ...['2027-12-30T22:00Z', '2028-02-28T03:30Z'],
];

/** Events that may happen during a request. */
const CROSSES: readonly WorldEvent['what'][] = [
  ...(['override', 'toggle', 'settings', 'manual act', 'live test', 'external change', 'leave'] as const),
  ...(['access', 'token dies', 'subscription ends', 'status', 'crash', 'database breaks'] as const),
];

/** A scenario, which follows from the number of the history, and random events after it. */
export function generateHistory(random: Random, number: number): { startsAt: number; events: TimedEvent[] } {
  const startsAt = Date.parse(random.pick(STARTS)) + random.whole(0, 12 * HOUR);
  const events = SCENARIOS[number % SCENARIOS.length]?.(random.for('scenario')) ?? [];
  let at = SCENARIO_MS;
  const spread = random.pick([2 * MINUTE, 20 * MINUTE, 2 * HOUR]);
  const kinds = generateMix(random);
  for (let left = random.whole(12, 40); left > 0; left -= 1) {
    at += gap(random, spread);
    const event = random.pick(EVENTS[random.pick(kinds)])(random);
    const isCrossing = CROSSES.includes(event.what) && random.chance(0.3);
    const crossing = { afterRequests: random.whole(1, 5), isServed: random.chance(0.5) };
    events.push({ at, ...(isCrossing && crossing), ...event });
    // Related events stay together: an outage and a fault in the middle of it.
    if (event.what === 'status' && random.chance(0.5))
      events.push({
        at: at + random.whole(0, 90_000),
        ...random.pick(EVENTS[random.pick(['fault', 'doubt'] as const)])(random),
      });
  }
  events.push(...generateTool(random.for('other tool'), startsAt, at));
  events.push(...generateWords(random.for('own words'), at));
  events.push(...generateWarnings(random.for('early warnings'), at));
  return { startsAt, events: events.toSorted((a, b) => a.at - b.at) };
}

/** In a third of all histories another tool has a campaign off for hours of each day; an outage reaches into them. */
function generateTool(random: Random, startsAt: number, endsAt: number): TimedEvent[] {
  if (!random.chance(1 / 3)) return [];
  const campaign = random.pick(ALL);
  const offAt = random.whole(-12, 24) * QUARTER;
  const hours = random.whole(12, 44) * QUARTER;
  const [off, on] = [offAt, offAt + hours].map((at) => timeOfDay(startsAt + at)) as [string, string];
  const readWithinMs = random.whole(1, 40) * MINUTE;
  const events: TimedEvent[] = [{ at: 0, what: 'other tool', campaign, off, on, readWithinMs }];
  if (random.chance(0.3)) events.push({ at: random.whole(0, endsAt), what: 'other tool stops', campaign });
  const outageAt = offAt - random.whole(5, 90) * MINUTE;
  const isOverAt = random.whole(offAt, offAt + Math.round(1.2 * hours));
  if (outageAt > SCENARIO_MS)
    events.push(
      { at: outageAt, what: 'status', level: 'HIGH_DISRUPTION' },
      { at: isOverAt, what: 'status', level: 'UP' },
    );
  return events;
}

/** In a third of all histories users pause all by themselves, with an end or until they end it, if they do. */
function generateWords(random: Random, endsAt: number): TimedEvent[] {
  if (!random.chance(1 / 3)) return [];
  return Array.from({ length: random.whole(1, 4) }, (): TimedEvent[] => {
    const [at, user] = [random.whole(SCENARIO_MS, Math.max(endsAt, SCENARIO_MS)), userOf(random)];
    const forMs = random.chance(0.5) ? null : random.pick([6 * MINUTE, HOUR, 5 * HOUR]);
    const said: TimedEvent = { at, what: 'pause all', ...user, forMs };
    const crossing = crossingAt(random);
    const over: TimedEvent = { at: at + random.whole(0, HOUR), what: 'resume all', ...user, ...crossing };
    return random.chance(0.8) ? [said, over] : [said];
  }).flat();
}

/** In a third of all histories users choose what early warnings do, an admin lets them act, and sources say something. */
function generateWarnings(random: Random, endsAt: number): TimedEvent[] {
  if (!random.chance(1 / 3)) return [];
  const within = (from: number, until: number): number => random.whole(from, Math.max(from, until));
  const chosen = (at: number, user: number): TimedEvent => ({
    ...{ at, what: 'early warning choice', user, ...crossingAt(random) },
    choice: random.pick(['pause', 'pause', 'pause', 'notify', 'official']),
  });
  const acting = (at: number, acts: boolean): TimedEvent => ({
    ...{ at, what: 'warnings act', acts, ...crossingAt(random) },
  });
  const events = USERS.map((_one, user) => chosen(within(SCENARIO_MS - 5 * MINUTE, SCENARIO_MS), user));
  if (random.chance(0.9)) events.push(acting(within(SCENARIO_MS, endsAt / 2), true));
  for (let left = random.whole(1, 4); left > 0; left -= 1) {
    const begin = within(SCENARIO_MS, endsAt);
    const end = begin + random.pick([4, 20, 60, 300]) * MINUTE;
    const sources = random.pick<readonly Source[]>([['calls'], ...Array<readonly Source[]>(5).fill(SOURCES)]);
    for (const source of sources)
      for (const isSuspected of [true, false])
        events.push({
          at: (isSuspected ? begin : end) + random.whole(0, 4 * MINUTE),
          ...{ what: 'source says', source, isSuspected, withinMs: random.pick([0, 500, 5000, 20_000]) },
          ...crossingAt(random),
        });
    if (random.chance(0.4)) {
      const { user } = userOf(random);
      const at = () => within(begin, end + 10 * MINUTE);
      events.push(chosen(at(), user), ...(random.chance(0.5) ? [chosen(at(), user)] : []));
    }
    if (random.chance(0.3)) {
      const [at, again] = [within(begin, end), within(begin, end)].toSorted((a, b) => a - b);
      events.push(acting(at ?? begin, false), acting(again ?? end, true));
    }
    if (random.chance(0.4)) {
      const reported = within(begin, end);
      events.push(
        { at: reported, what: 'status', level: random.pick(LEVELS) },
        { at: within(reported, end + HOUR), what: 'status', level: 'UP' },
      );
    }
  }
  return events;
}

function crossingAt(random: Random): Pick<TimedEvent, 'afterRequests' | 'isServed'> {
  return random.chance(0.3) ? { afterRequests: random.whole(1, 5), isServed: random.chance(0.5) } : {};
}

/** In New York, to a quarter of an hour; never in the hours that a change of the clocks skips or repeats. */
function timeOfDay(at: number): string {
  const clock = { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' } as const;
  const time = new Intl.DateTimeFormat('en-GB', clock).format(Math.floor(at / QUARTER) * QUARTER);
  return time.replace(/^0[12]/, (hour) => (hour === '01' ? '03' : '04'));
}

function gap(random: Random, spread: number): number {
  if (random.chance(0.35)) return random.whole(0, 30_000);
  if (random.chance(0.1)) return random.whole(0, 24 * HOUR);
  return random.whole(0, 2 * spread);
}

/** Each history has its own kinds of failures: with all kinds at once they would hide each other. */
function generateMix(random: Random): (keyof typeof EVENTS)[] {
  const failures = (['fault', 'external', 'account', 'process', 'fault', 'doubt', 'doubt'] as const).filter(
    () => random.chance(0.5),
  );
  return ['status', 'status', 'status', 'user', 'user', ...failures];
}

type Make = (random: Random) => WorldEvent;

const LEVELS = [...(Object.keys(PHRASES) as Level[]), 'UP', 'HIGH_DISRUPTION'] as const;
const OVERRIDES = ['clear', 'clear', 'force-up', 'force-low', 'force-medium', 'force-high'] as const;
const TIMES = [1, 1, 2, 5, 15];

const level: Make = (random) => ({ what: 'status', level: random.pick(LEVELS) });
const toggle: Make = (random) => ({
  ...{ what: 'toggle', ...userAndCampaign(random), enabled: random.chance(0.65) },
});
const settings: Make = (random) => ({
  ...{ what: 'settings', ...userOf(random) },
  ...{ threshold: random.pick(THRESHOLDS), resume: generateResume(random) },
});
const manual: Make = (random) => ({
  ...{ what: 'manual act', ...userAndCampaign(random), kind: random.pick(['pause', 'resume']) },
});
const external: Make = (random) => ({
  ...{ what: 'external change', campaign: userAndCampaign(random).campaign },
  status: random.pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'PAUSED', 'ARCHIVED', 'DELETED']),
});
const error: Make = (random) => ({
  ...{ what: 'error', error: random.whole(0, PLATFORM_ERRORS.length - 1) },
  ...{ isInner: random.chance(0.5), times: random.pick(TIMES) },
});
const network: Make = (random) => {
  const service = random.pick([...SERVICES, 'graph', 'graph', 'graph'] as const);
  const isWrite = service === 'graph' && random.chance(0.5);
  return {
    ...{ what: 'network fault', service, isWrite },
    ...{ fault: random.pick(NETWORK_FAULTS), times: random.pick(TIMES) },
  };
};
const crash: Make = (random) => ({
  ...{ what: 'crash', process: random.whole(0, 1), downMs: random.pick([0, 5000, 40_000, 5 * MINUTE]) },
  callsLeft: random.chance(0.5) ? random.whole(1, 4) : random.whole(5, 60),
});

/** By kind; what is listed twice happens twice as often. */
const EVENTS = {
  status: [
    ...[level, level, level, level, level, level, level],
    (random) => ({ what: 'override', command: random.pick(OVERRIDES) }),
    (random) => ({ what: 'page breaks', times: random.pick([1, 3, 10, 60]) }),
  ],
  user: [
    ...[toggle, toggle, toggle, settings, settings, manual, manual],
    (random) => ({ what: 'live test', ...userAndCampaign(random) }),
    (random) => ({ what: 'end of live test', ...userOf(random) }),
  ],
  external: [external],
  account: [
    (random) => ({ what: 'token dies', ...userOf(random) }),
    (random) => ({ what: 'log in', ...userOf(random) }),
    (random) => ({ what: 'log in', ...userOf(random) }),
    (random) => ({ what: 'subscribe', ...userOf(random) }),
    (random) => ({ what: 'subscription ends', ...userOf(random) }),
    (random) => ({ what: 'removed on Meta', ...userOf(random) }),
    (random) => ({
      ...{ what: 'leave', ...userOf(random), how: random.pick(['deauthorize', 'delete']) },
    }),
    (random) => ({
      ...{ what: 'access', ...userOf(random), isGiven: random.chance(0.5) },
      account: random.whole(0, ACCOUNTS.length - 1),
    }),
  ],
  fault: [
    ...[error, error, error, network, network, network],
    (random) => ({
      ...{ what: 'app is refused', isBlocked: random.chance(0.3) },
      ms: random.pick([90_000, 10 * MINUTE, HOUR]),
    }),
    (random) => ({
      ...{ what: 'inner fault', kind: random.pick(INNER_FAULTS) },
      ...{ times: random.pick(TIMES), ms: random.whole(1000, 8000) },
    }),
  ],
  doubt: [
    (random) => ({
      ...{ what: 'doubtful answer', kind: random.pick(DOUBTFUL_ANSWERS) },
      ...{ times: random.pick([1, 1, 2, 4]), ms: random.whole(15_000, 90_000) },
    }),
  ],
  process: [
    ...[crash, crash],
    (random) => ({ what: 'second process', forMs: random.pick([30_000, 10 * MINUTE, 3 * HOUR]) }),
    (random) => ({
      ...{ what: 'database breaks', process: random.whole(0, 1) },
      kinds: Array.from({ length: random.whole(1, 3) }, () => random.pick(['before', 'after'])),
    }),
  ],
} satisfies Record<string, Make[]>;

function userOf(random: Random): { user: number } {
  return { user: random.whole(0, USERS.length - 1) };
}

function userAndCampaign(random: Random): { user: number; campaign: number } {
  return { ...userOf(random), campaign: random.pick(ALL) };
}

export function generateResume(random: Random): ResumeSettings {
  const next = random.next();
  if (next < 0.4) return { mode: 'instant' };
  if (next < 0.5) return { mode: 'next_day' };
  if (next < 0.6) return { mode: 'next_day', zone: 'account' };
  return { mode: 'delay', delay: { value: random.pick([1, 5, 15, 60]), unit: 'minutes' } };
}
