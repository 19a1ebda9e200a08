import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import type { Cast } from './cast.ts';
import type { Dice } from '../fixtures/dice.ts';
import type { Happening, Moment, Settings } from './happening.ts';
import { INNER_FAULTS, PLATFORM_ERRORS } from './happening.ts';
import { PLACES, TROUBLES } from './network.ts';
import { inventScene } from './scenes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface History {
  seed: string;
  startsAt: number;
  moments: Moment[];
}

/** Days of which some lie around a change of New York's clocks. */
const STARTS = [
  '2026-03-06T12:00:00Z',
  '2026-03-07T20:00:00Z',
  '2026-10-30T12:00:00Z',
  '2026-10-31T20:00:00Z',
  '2026-01-14T08:00:00Z',
  '2026-07-03T16:00:00Z',
  '2027-12-30T22:00:00Z',
  '2028-02-28T03:30:00Z',
];

/** What may happen while a request is under way. */
const CROSSES: ReadonlySet<Happening['what']> = new Set([
  'directive',
  'toggle',
  'settings',
  'own act',
  'hand',
  'leave',
  'access',
  'token dies',
  'subscription ends',
  'status',
  'crash',
  'database breaks',
]);

/** Those whose outcome the rules are about. */
export const JOB_NAMES = [
  'leaving',
  'checking tokens',
  'reading subscriptions',
  'long unknown',
  'tidying up',
];

export function inventHistory(seed: string, dice: Dice, cast: Cast): History {
  const startsAt = Date.parse(dice.pick(STARTS)) + dice.whole(0, 12 * HOUR);
  const moments: Moment[] = [];
  let at = 0;
  const spread = dice.pick([2 * MINUTE, 20 * MINUTE, 2 * HOUR]);
  const count = dice.whole(12, 40);
  const style = inventStyle(dice);
  for (let index = 0; index < count; index += 1) {
    at += pause(dice, spread);
    const happening = invent(dice, cast, style);
    const isCrossing = CROSSES.has(happening.what) && dice.chance(0.3);
    const crossing = { amid: dice.whole(1, 5), isServed: dice.chance(0.5) };
    moments.push({ at, ...(isCrossing && crossing), ...happening });
    // What belongs together comes together: an outage and the fault that falls into the middle of it.
    if (happening.what === 'status' && dice.chance(0.5)) {
      moments.push({ at: at + dice.whole(0, 90_000), ...inventFault(dice) });
    }
  }
  if (dice.chance(0.5)) {
    const begin = dice.whole(0, at);
    for (const moment of inventScene(dice, cast)) moments.push({ ...moment, at: begin + moment.at });
  }
  return { seed, startsAt, moments: moments.toSorted((a, b) => a.at - b.at) };
}

function pause(dice: Dice, spread: number): number {
  if (dice.chance(0.35)) return dice.whole(0, 30_000);
  if (dice.chance(0.1)) return dice.whole(0, 24 * HOUR);
  return dice.whole(0, 2 * spread);
}

type Kind = 'status' | 'person' | 'fault' | 'hand' | 'life' | 'process';

/** Each history has troubles of its own, so that not all of them drown in all. */
function inventStyle(dice: Dice): Kind[] {
  const style: Kind[] = ['status', 'status', 'status', 'person', 'person'];
  for (const kind of ['fault', 'hand', 'life', 'process', 'fault'] as const) {
    if (dice.chance(0.5)) style.push(kind);
  }
  return style;
}

function invent(dice: Dice, cast: Cast, style: Kind[]): Happening {
  switch (dice.pick(style)) {
    case 'status':
      return inventStatus(dice);
    case 'person':
      return inventAct(dice, cast);
    case 'fault':
      return inventFault(dice);
    case 'hand':
      return inventHand(dice, cast);
    case 'life':
      return inventTurnOfLife(dice, cast);
    case 'process':
      return inventProcessTrouble(dice);
  }
}

function inventStatus(dice: Dice): Happening {
  if (dice.chance(0.15)) {
    const kind = dice.pick(['html', 'truncated', 'http', 'reset', 'unknown_phrase'] as const);
    return { what: 'page breaks', kind, times: dice.pick([1, 3, 10, 60]) };
  }
  if (dice.chance(0.1)) {
    const command = dice.pick([
      'clear',
      'clear',
      'force-up',
      'force-low',
      'force-medium',
      'force-high',
    ] as const);
    return { what: 'directive', command };
  }
  const levels = [
    'UP',
    'UP',
    'LOW_DISRUPTION',
    'MEDIUM_DISRUPTION',
    'HIGH_DISRUPTION',
    'HIGH_DISRUPTION',
  ] as const;
  const only = dice.chance(0.1) ? dice.pick(['orgs', 'outages'] as const) : null;
  return { what: 'status', level: dice.pick(levels), only };
}

function inventAct(dice: Dice, cast: Cast): Happening {
  const person = dice.whole(0, cast.people.length - 1);
  const campaign = dice.whole(0, cast.campaigns.length - 1);
  const roll = dice.roll();
  if (roll < 0.35) return { what: 'toggle', person, campaign, enabled: dice.chance(0.65) };
  if (roll < 0.6)
    return { what: 'settings', person, threshold: dice.pick(THRESHOLDS), resume: inventResume(dice) };
  if (roll < 0.85) return { what: 'own act', person, campaign, kind: dice.pick(['pause', 'resume']) };
  return { what: 'look', person };
}

export function inventResume(dice: Dice): Settings {
  const roll = dice.roll();
  if (roll < 0.4) return { mode: 'instant' };
  if (roll < 0.6) return { mode: 'next_day' };
  return { mode: 'delay', minutes: dice.pick([1, 5, 15, 60, 240]) };
}

/** As the product takes it. */
export function toSettings(resume: Settings): Record<string, unknown> {
  if (resume.mode !== 'delay') return resume;
  const { minutes } = resume;
  const isHours = minutes > 60;
  return {
    mode: 'delay',
    delay: { value: isHours ? minutes / 60 : minutes, unit: isHours ? 'hours' : 'minutes' },
  };
}

function inventHand(dice: Dice, cast: Cast): Happening {
  const campaign = dice.whole(0, cast.campaigns.length - 1);
  const statuses = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'PAUSED', 'ARCHIVED', 'DELETED'] as const;
  return { what: 'hand', campaign, status: dice.pick(statuses) };
}

function inventTurnOfLife(dice: Dice, cast: Cast): Happening {
  const person = dice.whole(0, cast.people.length - 1);
  const roll = dice.roll();
  if (roll < 0.2) return { what: 'token dies', person };
  if (roll < 0.45) return { what: 'log in', person };
  if (roll < 0.6) return { what: 'leave', person, how: dice.pick(['deauthorize', 'delete']) };
  if (roll < 0.68) return { what: 'removed on Meta', person };
  if (roll < 0.8) {
    return {
      what: 'access',
      person,
      account: dice.whole(0, cast.accounts.length - 1),
      isGiven: dice.chance(0.5),
    };
  }
  if (roll < 0.9) return { what: 'subscription ends', person };
  return { what: 'subscribe', person };
}

function inventFault(dice: Dice): Happening {
  const roll = dice.roll();
  const times = dice.pick([1, 1, 2, 5, 15]);
  if (roll < 0.35) {
    const error = dice.whole(0, PLATFORM_ERRORS.length - 1);
    return { what: 'error', error, isInner: dice.chance(0.5), times };
  }
  if (roll < 0.6) {
    const kind = dice.pick(INNER_FAULTS);
    return { what: 'inner fault', kind, times, ms: dice.whole(1000, 8000) };
  }
  if (roll < 0.9) {
    const place = dice.pick([...PLACES, 'graph', 'graph', 'graph'] as const);
    const isWrite = place === 'graph' && dice.chance(0.5);
    return { what: 'trouble', place, trouble: dice.pick(TROUBLES), times, isWrite };
  }
  if (roll < 0.95) return { what: 'mail down', times, isUnanswered: dice.chance(0.5) };
  return { what: 'webhooks', kind: dice.pick(['webhook_drop', 'webhook_twice']), times };
}

function inventProcessTrouble(dice: Dice): Happening {
  const process = dice.whole(0, 1);
  const roll = dice.roll();
  if (roll < 0.45) {
    return {
      what: 'crash',
      process,
      dealings: dice.chance(0.5) ? dice.whole(1, 4) : dice.whole(5, 60),
      awayMs: dice.pick([0, 5000, 40_000, 5 * MINUTE]),
    };
  }
  if (roll < 0.65) return { what: 'second process', forMs: dice.pick([30_000, 10 * MINUTE, 3 * HOUR]) };
  if (roll < 0.8) {
    const kinds = Array.from({ length: dice.whole(1, 3) }, () => dice.pick(['before', 'after'] as const));
    return { what: 'database breaks', process, kinds };
  }
  if (roll < 0.88)
    return { what: 'clock jumps', process, ms: dice.pick([-90_000, -5000, 5000, 45_000, 10 * MINUTE]) };
  const names = Array.from({ length: dice.whole(1, 4) }, () => dice.pick(JOB_NAMES));
  return { what: 'jobs', names, process };
}
