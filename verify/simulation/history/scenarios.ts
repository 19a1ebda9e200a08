import type { ResumeSettings } from '../../../src/core/settings.ts';
import type { Fixture } from './fixture.ts';
import type { Random } from '../../fixtures/random.ts';
import type { Level, TimedEvent, WorldEvent } from './events.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The next write is carried out late, and its response is lost. */
const LOST = lost(1);
const CLEAR_OVERRIDE = at(20 * MINUTE, { what: 'override', command: 'clear' });

type Scenario = (random: Random, fixture: Fixture) => TimedEvent[] | null;

/** Events that belong together and are rare by chance alone. Times count from the scenario's beginning. */
export function generateScenario(random: Random, fixture: Fixture): TimedEvent[] {
  const scenarios = [
    ...[transfer, lostWrite(false), lostWrite(true), refusedForGood],
    ...[lostBehindExternalChange, externalChangeBetween, choiceBetween],
  ];
  return random.pick(scenarios)(random, fixture) ?? [];
}

/** A write that arrives late, after a change of the user: no other scenario reaches these. */
export function generateLateWrite(random: Random, fixture: Fixture): TimedEvent[] {
  return random.pick([lateManualResume, latePause])(random, fixture) ?? [];
}

/** Of two users with the same campaign, the owner of the hold loses access. */
const transfer: Scenario = (random, fixture) => {
  const shared = fixture.campaigns.findIndex(
    ({ accountId }) => fixture.users.filter(({ accounts }) => accounts.includes(accountId)).length > 1,
  );
  const account = fixture.accounts.indexOf(fixture.campaigns[shared]?.accountId ?? '');
  const sharers = fixture.users.flatMap(({ accounts }, user) =>
    accounts.includes(fixture.accounts[account] ?? '') ? [user] : [],
  );
  if (shared === -1) return null;
  const user = random.pick(sharers);
  const losses: WorldEvent[] = [
    { what: 'access', user, account, isGiven: false },
    { what: 'token dies', user },
    { what: 'removed on Meta', user },
    { what: 'leave', user, how: random.pick(['deauthorize', 'delete']) },
  ];
  return [
    ...watch(random, sharers, shared),
    status(2 * MINUTE, 'HIGH_DISRUPTION'),
    at(random.whole(3, 8) * MINUTE, random.pick(losses)),
    status(random.whole(9, 20) * MINUTE, 'UP'),
  ];
};

/** Meta refuses the pause or the resume for good; sometimes because the campaign has ended. */
const refusedForGood: Scenario = (random, fixture) => {
  const [user, campaign] = pickUser(random, fixture);
  const ends: WorldEvent = { what: 'dates', campaign, startsInMs: null, endsInMs: 0 };
  return [
    ...watch(random, [user], campaign),
    status(2 * MINUTE, 'HIGH_DISRUPTION'),
    at(random.pick([1, 5]) * MINUTE, { what: 'refuses writes', campaign, isOn: true }),
    ...(random.chance(0.4) ? [at(6 * MINUTE, ends)] : []),
    status(8 * MINUTE, 'UP'),
    ...(random.chance(0.3) ? [at(8 * MINUTE, LOST)] : []),
    at(8 * MINUTE + random.whole(10, 90) * SECOND, later(random, user, campaign, 'HIGH_DISRUPTION')),
    status(16 * MINUTE, 'UP'),
  ];
};

/** A write is carried out when its sender has timed out, and an event has made it unwanted; a pause three times. */
const lostWrite =
  (isResume: boolean): Scenario =>
  (random, fixture) => {
    const [user, campaign] = pickUser(random, fixture);
    const from = (isResume ? 8 : 2) * MINUTE;
    const begin = [...watch(random, [user], campaign), status(2 * MINUTE, 'HIGH_DISRUPTION')];
    const end = isResume ? [status(8 * MINUTE, 'UP'), status(16 * MINUTE, 'UP')] : [];
    const unwanted = from + random.whole(15, 60) * SECOND;
    const level = isResume ? 'HIGH_DISRUPTION' : 'UP';
    const isLost = at(from, lost(isResume ? 1 : 3));
    return [...begin, ...end, isLost, at(unwanted, later(random, user, campaign, level))];
  };

/** A write is repeated and carried out, an external change follows, and only then the first write arrives. */
const lostBehindExternalChange: Scenario = (random, fixture) => {
  const [user, campaign] = pickUser(random, fixture);
  const isPause = random.chance(0.4);
  const from = (isPause ? 2 : 8) * MINUTE + random.whole(32, 50) * SECOND;
  const externalChange = (status: 'ACTIVE' | 'PAUSED'): WorldEvent =>
    random.chance(0.6)
      ? { what: 'manual act', user, campaign, kind: status === 'PAUSED' ? 'pause' : 'resume' }
      : { what: 'external change', campaign, status };
  const acts: WorldEvent[] = isPause
    ? [
        { what: 'toggle', user, campaign, enabled: false },
        externalChange('ACTIVE'),
        ...(random.chance(0.5) ? [{ what: 'toggle', user, campaign, enabled: true } as const] : []),
      ]
    : [externalChange('PAUSED')];
  return [
    ...watch(random, [user], campaign),
    // Known at once, so that the following events come in time.
    at(2 * MINUTE, { what: 'override', command: 'force-high' }),
    at((isPause ? 2 : 8) * MINUTE, LOST),
    at(8 * MINUTE, { what: 'override', command: 'force-up' }),
    CLEAR_OVERRIDE,
    ...acts.map((act, index) => at(from + index * 2 * SECOND, act)),
  ];
};

/** A user's resume is repeated, SmartPause is turned on in an outage, and only then the first resume arrives. */
const lateManualResume: Scenario = (random, fixture) => {
  const [user, campaign] = pickUser(random, fixture);
  return [
    ...watch(random, [user], campaign),
    at(70 * SECOND, { what: 'toggle', user, campaign, enabled: false }),
    at(80 * SECOND, { what: 'external change', campaign, status: 'PAUSED' }),
    at(90 * SECOND, { what: 'override', command: 'force-high' }),
    at(2 * MINUTE, LOST),
    at(2 * MINUTE, { what: 'manual act', user, campaign, kind: 'resume' }),
    at(2 * MINUTE + random.whole(3, 40) * SECOND, { what: 'toggle', user, campaign, enabled: true }),
    CLEAR_OVERRIDE,
  ];
};

/** A pause is repeated, SmartPause is turned off, the campaign resumed outside, and only then the first pause arrives. */
const latePause: Scenario = (random, fixture) => {
  const [user, campaign] = pickUser(random, fixture);
  const from = 2 * MINUTE + random.whole(32, 40) * SECOND;
  return [
    at(0, { what: 'override', command: 'force-up' }),
    ...watch(random, [user], campaign),
    at(2 * MINUTE, { what: 'override', command: 'force-high' }),
    at(2 * MINUTE, LOST),
    at(from, { what: 'toggle', user, campaign, enabled: false }),
    at(from + 2 * SECOND, { what: 'external change', campaign, status: 'ACTIVE' }),
    CLEAR_OVERRIDE,
  ];
};

/** An external change falls between the reconciler's read and its write. */
const externalChangeBetween: Scenario = (random, fixture) => {
  const [user, campaign] = pickUser(random, fixture);
  const externalChange = (status: 'ACTIVE' | 'PAUSED'): TimedEvent => ({
    ...at(2 * MINUTE, { what: 'external change', campaign, status }),
    afterRequests: random.whole(1, 3),
    isServed: true,
  });
  return [
    ...watch(random, [user], campaign),
    externalChange('PAUSED'),
    ...(random.chance(0.3) ? [externalChange('ACTIVE')] : []),
    status(2 * MINUTE, 'HIGH_DISRUPTION'),
    status(9 * MINUTE, 'UP'),
  ];
};

/** The same with a change of the user's settings. */
const choiceBetween: Scenario = (random, fixture) => {
  const [user, campaign] = pickUser(random, fixture);
  const change: TimedEvent = {
    ...at(random.pick([2, 8]) * MINUTE, later(random, user, campaign, null)),
    afterRequests: random.whole(1, 3),
    isServed: random.chance(0.7),
  };
  return [
    ...watch(random, [user], campaign),
    status(2 * MINUTE, 'HIGH_DISRUPTION'),
    status(8 * MINUTE, 'UP'),
    change,
  ];
};

function lost(times: number): WorldEvent {
  return { what: 'network fault', service: 'graph', fault: 'late', times, isWrite: true };
}

function at(ms: number, event: WorldEvent): TimedEvent {
  return { at: ms, ...event };
}

function status(ms: number, level: Level): TimedEvent {
  return at(ms, { what: 'status', level, only: null });
}

/** @param delay in minutes; null: the resume is instant */
function settings(user: number, delay: number | null): WorldEvent {
  const resume: ResumeSettings =
    delay === null ? { mode: 'instant' } : { mode: 'delay', delay: { value: delay, unit: 'minutes' } };
  return { what: 'settings', user, threshold: 'LOW', resume };
}

function pickUser(random: Random, fixture: Fixture): [user: number, campaign: number] {
  const user = random.whole(0, fixture.users.length - 1);
  const own = fixture.campaigns.flatMap(({ accountId }, index) =>
    fixture.users[user]?.accounts.includes(accountId) === true ? [index] : [],
  );
  return [user, random.pick(own)];
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
  if (level !== null && random.chance(0.6)) return { what: 'status', level, only: null };
  return random.pick(others);
}
