import type { ResumeSettings } from '../../../src/core/settings.ts';
import type { Random } from '../../fixtures/random.ts';
import type { Level, TimedEvent, WorldEvent } from './events.ts';
import { ALL, SHARED } from './fixture.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A write is carried out when its sender has timed out, and an event has made it unwanted; a pause three times. */
function lostWrite(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  const isResume = random.chance(0.5);
  const from = (isResume ? 8 : 2) * MINUTE;
  const unwanted = from + random.whole(15, 60) * SECOND;
  return [
    ...watch(random, [user], campaign),
    ...outage(2 * MINUTE, isResume ? 8 * MINUTE : 20 * MINUTE),
    at(from, lost(isResume ? 1 : 3)),
    at(unwanted, later(random, user, campaign, isResume ? 'HIGH_DISRUPTION' : 'UP')),
    status(25 * MINUTE, 'UP'),
  ];
}

/** A change falls between the reconciler's read and its write. */
function between(begin: number, changeOf: (of: { user: number; campaign: number }) => WorldEvent) {
  return (random: Random): TimedEvent[] => {
    const of = pickUser(random);
    return [
      ...watch(random, [of.user], of.campaign),
      at(2 * MINUTE, { what: 'override', command: 'force-high' }),
      at(8 * MINUTE, { what: 'override', command: 'force-up' }),
      { ...at(begin * MINUTE, changeOf(of)), afterRequests: random.whole(1, 2), isServed: true },
      CLEAR_OVERRIDE,
    ];
  };
}

/** Of two users with the same campaign, the holder loses access. */
function holderLosesAccess(random: Random): TimedEvent[] {
  const campaign = random.pick(SHARED);
  const user = random.whole(0, 1);
  const losses: WorldEvent[] = [
    { what: 'access', user, account: 0, isGiven: false },
    { what: 'token dies', user },
    { what: 'removed on Meta', user },
    { what: 'leave', user, how: random.pick(['deauthorize', 'delete']) },
  ];
  return [
    ...watch(random, [0, 1], campaign),
    ...outage(2 * MINUTE, random.whole(12, 20) * MINUTE),
    at(random.whole(3, 8) * MINUTE, random.pick(losses)),
  ];
}

/** A write is repeated and carried out, an external change follows, and only then the first write arrives. */
function lostBehindExternalChange(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  const isPause = random.chance(0.4);
  const from = (isPause ? 2 : 8) * MINUTE + random.whole(32, 50) * SECOND;
  const changed = isPause ? 'ACTIVE' : 'PAUSED';
  const change: WorldEvent = random.chance(0.6)
    ? { what: 'manual act', user, campaign, kind: isPause ? 'resume' : 'pause' }
    : { what: 'external change', campaign, status: changed };
  const off: WorldEvent = { what: 'toggle', user, campaign, enabled: false };
  return [
    ...watch(random, [user], campaign),
    // Known at once, so that the following events come in time.
    at(2 * MINUTE, { what: 'override', command: 'force-high' }),
    at((isPause ? 2 : 8) * MINUTE, lost(1)),
    at(8 * MINUTE, { what: 'override', command: 'force-up' }),
    ...(isPause ? [at(from, off)] : []),
    at(from + 2 * SECOND, change),
    CLEAR_OVERRIDE,
  ];
}

/** The process dies while Meta has a batch of writes, or before it stores the results. */
function crashInCall(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  const crash: WorldEvent = { what: 'crash', process: 0, callsLeft: random.whole(1, 3), downMs: 5000 };
  const begin = random.pick([2, 8]) * MINUTE;
  return [
    ...watch(random, [user], campaign),
    ...outage(2 * MINUTE, 8 * MINUTE),
    { ...at(begin, crash), afterRequests: random.whole(1, 3), isServed: random.chance(0.5) },
    at(begin + random.whole(20, 90) * SECOND, later(random, user, campaign, null)),
  ];
}

/** A pause is repeated, SmartPause is turned off, the campaign resumed outside, and only then the first pause arrives. */
function latePause(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  const from = 2 * MINUTE + random.whole(32, 40) * SECOND;
  return [
    at(0, { what: 'override', command: 'force-up' }),
    ...watch(random, [user], campaign),
    at(2 * MINUTE, { what: 'override', command: 'force-high' }),
    at(2 * MINUTE, lost(1)),
    at(from, { what: 'toggle', user, campaign, enabled: false }),
    at(from + 2 * SECOND, { what: 'external change', campaign, status: 'ACTIVE' }),
    CLEAR_OVERRIDE,
  ];
}

/** A campaign of two users is resumed outside: SmartPause is off for both, until one turns it on again. */
function resumedForAll(random: Random): TimedEvent[] {
  const campaign = random.pick(SHARED);
  const user = random.whole(0, 1);
  return [
    ...watch(random, [0, 1], campaign),
    ...outage(2 * MINUTE, 30 * MINUTE),
    at(10 * MINUTE, { what: 'external change', campaign, status: 'ACTIVE' }),
    at(20 * MINUTE, { what: 'toggle', user, campaign, enabled: true }),
  ];
}

/** A user's resume is repeated, SmartPause is turned on in an outage, and only then the first resume arrives. */
function lateManualResume(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  return [
    ...watch(random, [user], campaign),
    at(70 * SECOND, { what: 'toggle', user, campaign, enabled: false }),
    at(80 * SECOND, { what: 'external change', campaign, status: 'PAUSED' }),
    at(90 * SECOND, { what: 'override', command: 'force-high' }),
    at(2 * MINUTE, lost(1)),
    at(2 * MINUTE, { what: 'manual act', user, campaign, kind: 'resume' }),
    at(2 * MINUTE + random.whole(3, 40) * SECOND, { what: 'toggle', user, campaign, enabled: true }),
    CLEAR_OVERRIDE,
  ];
}

/** Reads show the campaign as it was before our pause, while changes of the level make the account due. */
function laggingReads(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  const lag: WorldEvent = {
    ...{ what: 'doubtful answer', kind: 'lagging_read' },
    ...{ ms: random.whole(30, 90) * SECOND, times: random.whole(2, 8) },
  };
  return [
    ...watch(random, [user], campaign),
    ...readAfter(status(2 * MINUTE, 'HIGH_DISRUPTION')),
    at(2 * MINUTE + random.whole(12, 20) * SECOND, lag),
    ...readAfter(status(2 * MINUTE + 21 * SECOND, 'LOW_DISRUPTION')),
    ...readAfter(status(2 * MINUTE + random.whole(32, 60) * SECOND, 'HIGH_DISRUPTION')),
    ...readAfter(status(20 * MINUTE, 'UP')),
  ];
}

/** Caches answer as the page was before the outage, to another process than the one that saw the outage begin. */
function oldCopies(random: Random): TimedEvent[] {
  const { user, campaign } = pickUser(random);
  const from = random.whole(4, 6) * MINUTE;
  const crash: WorldEvent = { what: 'crash', process: 0, callsLeft: 1, downMs: 0 };
  // Each reading asks for two files.
  const times = 2 * random.whole(1, 3);
  const old: WorldEvent = {
    what: 'doubtful answer',
    kind: 'old_copy',
    ms: from - 2 * MINUTE + 30_000,
    times,
  };
  return [
    ...watch(random, [user], campaign),
    ...readAfter(status(2 * MINUTE, 'HIGH_DISRUPTION')),
    at(from, old),
    at(from + 100, crash),
    ...[5, 15, 25].map((seconds) => at(from + seconds * SECOND, PAGE_IS_READ)),
    status(20 * MINUTE, 'UP'),
  ];
}

function readAfter(change: TimedEvent): TimedEvent[] {
  return [change, at(change.at + SECOND, PAGE_IS_READ)];
}

const PAGE_IS_READ: WorldEvent = { what: 'page is read', withinMs: 500 };

const CLEAR_OVERRIDE = at(20 * MINUTE, { what: 'override', command: 'clear' });

/** The next writes are carried out late, and their responses are lost. */
function lost(times: number): WorldEvent {
  return { what: 'network fault', service: 'graph', fault: 'late', times, isWrite: true };
}

function at(ms: number, event: WorldEvent): TimedEvent {
  return { at: ms, ...event };
}

function status(ms: number, level: Level): TimedEvent {
  return at(ms, { what: 'status', level });
}

function outage(from: number, until: number): TimedEvent[] {
  return [status(from, 'HIGH_DISRUPTION'), status(until, 'UP')];
}

/** @param delay in minutes; null: the resume is instant */
function settings(user: number, delay: number | null): WorldEvent {
  const resume: ResumeSettings =
    delay === null ? { mode: 'instant' } : { mode: 'delay', delay: { value: delay, unit: 'minutes' } };
  return { what: 'settings', user, threshold: 'LOW', resume };
}

function pickUser(random: Random): { user: number; campaign: number } {
  const user = random.whole(0, 1);
  return { user, campaign: random.pick(user === 0 ? SHARED : ALL) };
}

/** Sets the users up with SmartPause on for the campaign, which is active. */
function watch(random: Random, users: readonly number[], campaign: number): TimedEvent[] {
  const setUp = (user: number): TimedEvent[] => [
    at(0, { what: 'log in', user }),
    at(10 * SECOND, { what: 'subscribe', user }),
    at(20 * SECOND, settings(user, random.chance(0.7) ? null : 1)),
    at(30 * SECOND, { what: 'toggle', user, campaign, enabled: true }),
  ];
  return [...users.flatMap(setUp), at(MINUTE, { what: 'external change', campaign, status: 'ACTIVE' })];
}

/** An event that makes the last decision unwanted: a status, settings or external change. */
function later(random: Random, user: number, campaign: number, level: Level | null): WorldEvent {
  const others: WorldEvent[] = [
    { what: 'toggle', user, campaign, enabled: false },
    { what: 'manual act', user, campaign, kind: 'pause' },
    settings(user, 60),
    { what: 'leave', user, how: 'deauthorize' },
  ];
  if (level !== null && random.chance(0.6)) return { what: 'status', level };
  return random.pick(others);
}

/** Events that belong together and are rare by chance alone. Times count from the scenario's beginning. */
export const SCENARIOS = [
  between(8, ({ user }) => settings(user, 60)),
  between(2, (of) => ({ what: 'toggle', ...of, enabled: false })),
  between(2, ({ campaign }) => ({ what: 'external change', campaign, status: 'PAUSED' })),
  ...[lostWrite, holderLosesAccess, lostBehindExternalChange, crashInCall],
  ...[latePause, resumedForAll, lateManualResume, laggingReads, oldCopies],
];
