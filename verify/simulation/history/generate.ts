import type { Delay, ResumeSettings } from '../../../src/core/settings.ts';
import { THRESHOLDS } from '../../../src/core/smartpause/level.ts';
import type { Fixture } from './fixture.ts';
import type { Random } from '../../fixtures/random.ts';
import {
  type WorldEvent,
  type TimedEvent,
  INNER_FAULTS,
  PAGE_FAULTS,
  PHRASES,
  PLATFORM_ERRORS,
} from './events.ts';
import type { Level } from './events.ts';
import { NETWORK_FAULTS } from '../world/network.ts';
import { SERVICES } from '../world/simulators.ts';
import { generateLateWrite, generateScenario } from './scenarios.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Days; some are near a change between standard and daylight time in New York. */
const STARTS = [
  ...['2026-03-06T12:00Z', '2026-03-07T20:00Z', '2026-10-30T12:00Z', '2026-10-31T20:00Z'],
  ...['2026-01-14T08:00Z', '2026-07-03T16:00Z', '2027-12-30T22:00Z', '2028-02-28T03:30Z'],
];

/** Events that may happen during a request. */
const CROSSES: readonly WorldEvent['what'][] = [
  ...(['override', 'toggle', 'settings', 'manual act', 'live test', 'external change', 'leave'] as const),
  ...(['access', 'token dies', 'subscription ends', 'status', 'crash', 'database breaks'] as const),
];

/** @returns its events, and when it begins */
export function generateHistory(
  random: Random,
  fixture: Fixture,
): { startsAt: number; events: TimedEvent[] } {
  const startsAt = Date.parse(random.pick(STARTS)) + random.whole(0, 12 * HOUR);
  const events: TimedEvent[] = [];
  let at = 0;
  const spread = random.pick([2 * MINUTE, 20 * MINUTE, 2 * HOUR]);
  const count = random.whole(12, 40);
  const mix = generateMix(random);
  for (let index = 0; index < count; index += 1) {
    at += gap(random, spread);
    const event = GENERATORS[random.pick(mix)](random, fixture);
    const isCrossing = CROSSES.includes(event.what) && random.chance(0.3);
    const crossing = { afterRequests: random.whole(1, 5), isServed: random.chance(0.5) };
    events.push({ at, ...(isCrossing && crossing), ...event });
    // Related events stay together: an outage and a fault in the middle of it.
    if (event.what === 'status' && random.chance(0.5)) {
      events.push({ at: at + random.whole(0, 90_000), ...generateFault(random) });
    }
  }
  if (random.chance(0.4)) {
    const about = userAndCampaign(random, fixture);
    events.push({ at: random.whole(2 * MINUTE, 30 * MINUTE), what: 'live test', ...about });
  }
  if (random.chance(0.5)) {
    const begin = random.whole(0, at);
    for (const event of generateScenario(random, fixture)) events.push({ ...event, at: begin + event.at });
  }
  // Drawn apart, so that all other histories stay as they are.
  const rare = random.for('rare scenario');
  if (rare.chance(0.1)) {
    const begin = rare.whole(0, at);
    for (const event of generateLateWrite(rare, fixture)) events.push({ ...event, at: begin + event.at });
  }
  return { startsAt, events: events.toSorted((a, b) => a.at - b.at) };
}

function gap(random: Random, spread: number): number {
  if (random.chance(0.35)) return random.whole(0, 30_000);
  if (random.chance(0.1)) return random.whole(0, 24 * HOUR);
  return random.whole(0, 2 * spread);
}

const GENERATORS = {
  status: generateStatus,
  user: generateUserAction,
  fault: generateFault,
  external: generateExternalChange,
  account: generateAccountChange,
  process: generateProcessFault,
};
type Kind = keyof typeof GENERATORS;

/** Each history has its own kinds of failures: with all kinds at once they would hide each other. */
function generateMix(random: Random): Kind[] {
  const mix: Kind[] = ['status', 'status', 'status', 'user', 'user'];
  for (const kind of ['fault', 'external', 'account', 'process', 'fault'] as const) {
    if (random.chance(0.5)) mix.push(kind);
  }
  return mix;
}

const OVERRIDES = ['clear', 'clear', 'force-up', 'force-low', 'force-medium', 'force-high'] as const;
const LEVELS = Object.keys(PHRASES) as Level[];

function generateStatus(random: Random): WorldEvent {
  if (random.chance(0.15)) {
    const kind = random.pick(PAGE_FAULTS);
    const only = random.pick(['orgs', 'outages', null] as const);
    return { what: 'page breaks', kind, only, times: random.pick([1, 3, 10, 60]) };
  }
  if (random.chance(0.1)) return { what: 'override', command: random.pick(OVERRIDES) };
  const only = random.chance(0.1) ? random.pick(['orgs', 'outages'] as const) : null;
  return { what: 'status', level: random.pick(['UP', ...LEVELS, 'HIGH_DISRUPTION'] as const), only };
}

function userAndCampaign(random: Random, { users, campaigns }: Fixture): { user: number; campaign: number } {
  const user = random.whole(0, users.length - 1);
  return { user, campaign: random.whole(0, campaigns.length - 1) };
}

function generateUserAction(random: Random, fixture: Fixture): WorldEvent {
  const { user, campaign } = userAndCampaign(random, fixture);
  const next = random.next();
  if (next < 0.35) return { what: 'toggle', user, campaign, enabled: random.chance(0.65) };
  if (next < 0.6)
    return { what: 'settings', user, threshold: random.pick(THRESHOLDS), resume: generateResume(random) };
  if (next < 0.7)
    return random.chance(0.2) ? { what: 'end of live test', user } : { what: 'live test', user, campaign };
  if (next < 0.88) return { what: 'manual act', user, campaign, kind: random.pick(['pause', 'resume']) };
  return { what: 'page read', user };
}

const MINUTES = [1, 5, 15, 60].map((value): Delay => ({ value, unit: 'minutes' }));
const DELAYS: Delay[] = [...MINUTES, { value: 4, unit: 'hours' }];

export function generateResume(random: Random): ResumeSettings {
  const next = random.next();
  if (next < 0.4) return { mode: 'instant' };
  if (next < 0.6) return { mode: 'next_day' };
  return { mode: 'delay', delay: random.pick(DELAYS) };
}

function generateExternalChange(random: Random, fixture: Fixture): WorldEvent {
  const campaign = random.whole(0, fixture.campaigns.length - 1);
  const statuses = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'PAUSED', 'ARCHIVED', 'DELETED'] as const;
  if (random.chance(0.2)) return generateDates(random, campaign);
  if (random.chance(0.15)) return { what: 'refuses writes', campaign, isOn: random.chance(0.7) };
  return { what: 'external change', campaign, status: random.pick(statuses) };
}

/** Within a day: the checks at the end begin later. */
function generateDates(random: Random, campaign: number): WorldEvent {
  const within = (): number => random.whole(-5 * MINUTE, random.pick([5 * MINUTE, HOUR, 20 * HOUR]));
  const [startsInMs, endsInMs] = random.chance(0.6) ? [null, within()] : [within(), null];
  return { what: 'dates', campaign, startsInMs, endsInMs: random.chance(0.2) ? null : endsInMs };
}

function generateAccountChange(random: Random, fixture: Fixture): WorldEvent {
  const user = random.whole(0, fixture.users.length - 1);
  const next = random.next();
  if (next < 0.2) return { what: 'token dies', user };
  if (next < 0.45) return { what: 'log in', user };
  if (next < 0.6) return { what: 'leave', user, how: random.pick(['deauthorize', 'delete']) };
  if (next < 0.68) return { what: 'removed on Meta', user };
  if (next < 0.8) {
    const account = random.whole(0, fixture.accounts.length - 1);
    return { what: 'access', user, account, isGiven: random.chance(0.5) };
  }
  if (next < 0.9) return { what: 'subscription ends', user };
  return { what: 'subscribe', user };
}

function generateFault(random: Random): WorldEvent {
  const next = random.next();
  const times = random.pick([1, 1, 2, 5, 15]);
  if (next < 0.35) {
    const error = random.whole(0, PLATFORM_ERRORS.length - 1);
    return { what: 'error', error, isInner: random.chance(0.5), times };
  }
  if (next < 0.6) {
    const kind = random.pick(INNER_FAULTS);
    return { what: 'inner fault', kind, times, ms: random.whole(1000, 8000) };
  }
  if (next < 0.9) {
    const service = random.pick([...SERVICES, 'graph', 'graph', 'graph'] as const);
    const isWrite = service === 'graph' && random.chance(0.5);
    return { what: 'network fault', service, fault: random.pick(NETWORK_FAULTS), times, isWrite };
  }
  return { what: 'mail down', times, isUnanswered: random.chance(0.5) };
}

function generateProcessFault(random: Random): WorldEvent {
  const process = random.whole(0, 1);
  const next = random.next();
  if (next < 0.45) {
    const callsLeft = random.chance(0.5) ? random.whole(1, 4) : random.whole(5, 60);
    return { what: 'crash', process, callsLeft, downMs: random.pick([0, 5000, 40_000, 5 * MINUTE]) };
  }
  if (next < 0.65) return { what: 'second process', forMs: random.pick([30_000, 10 * MINUTE, 3 * HOUR]) };
  const kinds = Array.from({ length: random.whole(1, 3) }, () => random.pick(['before', 'after'] as const));
  return { what: 'database breaks', process, kinds };
}
