import type { Cast } from './cast.ts';
import type { Dice } from '../fixtures/dice.ts';
import type { Happening, Moment } from './happening.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

type Scene = (dice: Dice, cast: Cast) => Moment[] | null;

/** Moments that belong together, for what chance alone brings about too seldom. Times count from the scene's beginning. */
export function inventScene(dice: Dice, cast: Cast): Moment[] {
  return (
    dice.pick([handOver, lostPause, lostResume, lostBehindHand, handBetween, choiceBetween])(dice, cast) ?? []
  );
}

/** Of two who look after the same campaign, the one for whom it is held can do so no longer. */
const handOver: Scene = (dice, cast) => {
  const shared = cast.campaigns.findIndex(
    ({ accountId }) => cast.people.filter(({ accounts }) => accounts.includes(accountId)).length > 1,
  );
  const account = cast.accounts.indexOf(cast.campaigns[shared]?.accountId ?? '');
  const sharers = cast.people.flatMap(({ accounts }, person) =>
    accounts.includes(cast.accounts[account] ?? '') ? [person] : [],
  );
  if (shared === -1) return null;
  const person = dice.pick(sharers);
  const losses: Happening[] = [
    { what: 'access', person, account, isGiven: false },
    { what: 'token dies', person },
    { what: 'removed on Meta', person },
    { what: 'leave', person, how: dice.pick(['deauthorize', 'delete']) },
  ];
  return [
    ...sharers.flatMap((one) => watch(dice, one, shared)),
    at(MINUTE, { what: 'hand', campaign: shared, status: 'ACTIVE' }),
    at(2 * MINUTE, { what: 'status', level: 'HIGH_DISRUPTION', only: null }),
    at(dice.whole(3, 8) * MINUTE, dice.pick(losses)),
    at(dice.whole(9, 20) * MINUTE, { what: 'status', level: 'UP', only: null }),
  ];
};

/** The pause is carried out when the outage is over and whoever sent it has given up waiting. */
const lostPause: Scene = (dice, cast) => {
  const [person, campaign] = somebody(dice, cast);
  return [
    ...watch(dice, person, campaign),
    at(MINUTE, { what: 'hand', campaign, status: 'ACTIVE' }),
    at(2 * MINUTE, { what: 'status', level: 'HIGH_DISRUPTION', only: null }),
    at(2 * MINUTE, lost()),
    at(2 * MINUTE + dice.whole(15, 60) * SECOND, later(dice, person, campaign, 'UP')),
  ];
};

/** The same with a resume, and what makes it unwanted. */
const lostResume: Scene = (dice, cast) => {
  const [person, campaign] = somebody(dice, cast);
  return [
    ...watch(dice, person, campaign),
    at(MINUTE, { what: 'hand', campaign, status: 'ACTIVE' }),
    at(2 * MINUTE, { what: 'status', level: 'HIGH_DISRUPTION', only: null }),
    at(8 * MINUTE, { what: 'status', level: 'UP', only: null }),
    at(8 * MINUTE, lost()),
    at(8 * MINUTE + dice.whole(15, 60) * SECOND, later(dice, person, campaign, 'HIGH_DISRUPTION')),
    at(16 * MINUTE, { what: 'status', level: 'UP', only: null }),
  ];
};

/** It was sent once more, and done; then somebody sets the campaign by hand, and only then the first one arrives. */
const lostBehindHand: Scene = (dice, cast) => {
  const [person, campaign] = somebody(dice, cast);
  const isPause = dice.chance(0.4);
  const from = (isPause ? 2 : 8) * MINUTE + dice.whole(32, 50) * SECOND;
  const hand = (status: 'ACTIVE' | 'PAUSED'): Happening =>
    dice.chance(0.6)
      ? { what: 'own act', person, campaign, kind: status === 'PAUSED' ? 'pause' : 'resume' }
      : { what: 'hand', campaign, status };
  const acts: Happening[] = isPause
    ? [
        { what: 'toggle', person, campaign, enabled: false },
        hand('ACTIVE'),
        ...(dice.chance(0.5) ? [{ what: 'toggle', person, campaign, enabled: true } as const] : []),
      ]
    : [hand('PAUSED')];
  return [
    ...watch(dice, person, campaign),
    at(MINUTE, { what: 'hand', campaign, status: 'ACTIVE' }),
    // Known at once, so that what comes after it comes in time.
    at(2 * MINUTE, { what: 'directive', command: 'force-high' }),
    at((isPause ? 2 : 8) * MINUTE, lost()),
    at(8 * MINUTE, { what: 'directive', command: 'force-up' }),
    at(20 * MINUTE, { what: 'directive', command: 'clear' }),
    ...acts.map((act, index) => at(from + index * 2 * SECOND, act)),
  ].toSorted((a, b) => a.at - b.at);
};

/** A hand comes between what the engine has just been told and what it does because of it. */
const handBetween: Scene = (dice, cast) => {
  const [person, campaign] = somebody(dice, cast);
  const hand = (status: 'ACTIVE' | 'PAUSED'): Moment => ({
    ...at(2 * MINUTE, { what: 'hand', campaign, status }),
    amid: dice.whole(1, 3),
    isServed: true,
  });
  return [
    ...watch(dice, person, campaign),
    at(MINUTE, { what: 'hand', campaign, status: 'ACTIVE' }),
    hand('PAUSED'),
    ...(dice.chance(0.3) ? [hand('ACTIVE')] : []),
    at(2 * MINUTE, { what: 'status', level: 'HIGH_DISRUPTION', only: null }),
    at(9 * MINUTE, { what: 'status', level: 'UP', only: null }),
  ];
};

/** The same with a choice of the person's. */
const choiceBetween: Scene = (dice, cast) => {
  const [person, campaign] = somebody(dice, cast);
  const change: Moment = {
    ...at(dice.pick([2, 8]) * MINUTE, later(dice, person, campaign, null)),
    amid: dice.whole(1, 3),
    isServed: dice.chance(0.7),
  };
  return [
    ...watch(dice, person, campaign),
    at(MINUTE, { what: 'hand', campaign, status: 'ACTIVE' }),
    at(2 * MINUTE, { what: 'status', level: 'HIGH_DISRUPTION', only: null }),
    at(8 * MINUTE, { what: 'status', level: 'UP', only: null }),
    change,
  ].toSorted((a, b) => a.at - b.at);
};

function at(ms: number, happening: Happening): Moment {
  return { at: ms, ...happening };
}

/** The next write is carried out late, and answered to nobody. */
function lost(): Happening {
  return { what: 'trouble', place: 'graph', trouble: 'late', times: 1, isWrite: true };
}

function somebody(dice: Dice, cast: Cast): [person: number, campaign: number] {
  const person = dice.whole(0, cast.people.length - 1);
  const own = cast.campaigns.flatMap(({ accountId }, index) =>
    cast.people[person]?.accounts.includes(accountId) === true ? [index] : [],
  );
  return [person, dice.pick(own)];
}

/** So that the person's SmartPause has something to do. */
function watch(dice: Dice, person: number, campaign: number): Moment[] {
  return [
    at(0, { what: 'log in', person }),
    at(10 * SECOND, { what: 'subscribe', person }),
    at(20 * SECOND, {
      what: 'settings',
      person,
      threshold: 'LOW',
      resume: dice.chance(0.7) ? { mode: 'instant' } : { mode: 'delay', minutes: 1 },
    }),
    at(30 * SECOND, { what: 'toggle', person, campaign, enabled: true }),
  ];
}

/** What makes the last decision unwanted: the status changes again, or a choice, or a hand. */
function later(
  dice: Dice,
  person: number,
  campaign: number,
  level: 'UP' | 'HIGH_DISRUPTION' | null,
): Happening {
  const others: Happening[] = [
    { what: 'toggle', person, campaign, enabled: false },
    { what: 'own act', person, campaign, kind: 'pause' },
    { what: 'settings', person, threshold: 'LOW', resume: { mode: 'delay', minutes: 60 } },
    { what: 'leave', person, how: 'deauthorize' },
  ];
  if (level !== null && dice.chance(0.6)) return { what: 'status', level, only: null };
  return dice.pick(others);
}
