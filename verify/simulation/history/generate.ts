import { THRESHOLDS } from '../../../src/core/smartpause/level.ts';
import type { Fixture } from './fixture.ts';
import type { Random } from '../../fixtures/random.ts';
import type { WorldEvent, TimedEvent, Settings } from './events.ts';
import { INNER_FAULTS, PLATFORM_ERRORS } from './events.ts';
import { SERVICES, NETWORK_FAULTS } from '../world/network.ts';
import { generateScenario } from './scenarios.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface History {
  seed: string;
  startsAt: number;
  events: TimedEvent[];
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
const CROSSES: ReadonlySet<WorldEvent['what']> = new Set([
  'override',
  'toggle',
  'settings',
  'manual act',
  'external change',
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

export function generateHistory(seed: string, random: Random, fixture: Fixture): History {
  const startsAt = Date.parse(random.pick(STARTS)) + random.whole(0, 12 * HOUR);
  const events: TimedEvent[] = [];
  let at = 0;
  const spread = random.pick([2 * MINUTE, 20 * MINUTE, 2 * HOUR]);
  const count = random.whole(12, 40);
  const style = generateMix(random);
  for (let index = 0; index < count; index += 1) {
    at += gap(random, spread);
    const event = generate(random, fixture, style);
    const isCrossing = CROSSES.has(event.what) && random.chance(0.3);
    const crossing = { afterRequests: random.whole(1, 5), isServed: random.chance(0.5) };
    events.push({ at, ...(isCrossing && crossing), ...event });
    // What belongs together comes together: an outage and the fault that falls into the middle of it.
    if (event.what === 'status' && random.chance(0.5)) {
      events.push({ at: at + random.whole(0, 90_000), ...generateFault(random) });
    }
  }
  if (random.chance(0.5)) {
    const begin = random.whole(0, at);
    for (const event of generateScenario(random, fixture)) events.push({ ...event, at: begin + event.at });
  }
  return { seed, startsAt, events: events.toSorted((a, b) => a.at - b.at) };
}

function gap(random: Random, spread: number): number {
  if (random.chance(0.35)) return random.whole(0, 30_000);
  if (random.chance(0.1)) return random.whole(0, 24 * HOUR);
  return random.whole(0, 2 * spread);
}

type Kind = 'status' | 'user' | 'fault' | 'external' | 'account' | 'process';

/** Each history has troubles of its own, so that not all of them drown in all. */
function generateMix(random: Random): Kind[] {
  const style: Kind[] = ['status', 'status', 'status', 'user', 'user'];
  for (const kind of ['fault', 'external', 'account', 'process', 'fault'] as const) {
    if (random.chance(0.5)) style.push(kind);
  }
  return style;
}

function generate(random: Random, fixture: Fixture, style: Kind[]): WorldEvent {
  switch (random.pick(style)) {
    case 'status':
      return generateStatus(random);
    case 'user':
      return generateUserAct(random, fixture);
    case 'fault':
      return generateFault(random);
    case 'external':
      return generateExternalChange(random, fixture);
    case 'account':
      return generateAccountChange(random, fixture);
    case 'process':
      return generateProcessFault(random);
  }
}

function generateStatus(random: Random): WorldEvent {
  if (random.chance(0.15)) {
    const kind = random.pick(['html', 'truncated', 'http', 'reset', 'unknown_phrase'] as const);
    return { what: 'page breaks', kind, times: random.pick([1, 3, 10, 60]) };
  }
  if (random.chance(0.1)) {
    const command = random.pick([
      'clear',
      'clear',
      'force-up',
      'force-low',
      'force-medium',
      'force-high',
    ] as const);
    return { what: 'override', command };
  }
  const levels = [
    'UP',
    'UP',
    'LOW_DISRUPTION',
    'MEDIUM_DISRUPTION',
    'HIGH_DISRUPTION',
    'HIGH_DISRUPTION',
  ] as const;
  const only = random.chance(0.1) ? random.pick(['orgs', 'outages'] as const) : null;
  return { what: 'status', level: random.pick(levels), only };
}

function generateUserAct(random: Random, fixture: Fixture): WorldEvent {
  const user = random.whole(0, fixture.users.length - 1);
  const campaign = random.whole(0, fixture.campaigns.length - 1);
  const next = random.next();
  if (next < 0.35) return { what: 'toggle', user, campaign, enabled: random.chance(0.65) };
  if (next < 0.6)
    return { what: 'settings', user, threshold: random.pick(THRESHOLDS), resume: generateResume(random) };
  if (next < 0.85) return { what: 'manual act', user, campaign, kind: random.pick(['pause', 'resume']) };
  return { what: 'page read', user };
}

export function generateResume(random: Random): Settings {
  const next = random.next();
  if (next < 0.4) return { mode: 'instant' };
  if (next < 0.6) return { mode: 'next_day' };
  return { mode: 'delay', minutes: random.pick([1, 5, 15, 60, 240]) };
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

function generateExternalChange(random: Random, fixture: Fixture): WorldEvent {
  const campaign = random.whole(0, fixture.campaigns.length - 1);
  const statuses = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'PAUSED', 'ARCHIVED', 'DELETED'] as const;
  return { what: 'external change', campaign, status: random.pick(statuses) };
}

function generateAccountChange(random: Random, fixture: Fixture): WorldEvent {
  const user = random.whole(0, fixture.users.length - 1);
  const next = random.next();
  if (next < 0.2) return { what: 'token dies', user };
  if (next < 0.45) return { what: 'log in', user };
  if (next < 0.6) return { what: 'leave', user, how: random.pick(['deauthorize', 'delete']) };
  if (next < 0.68) return { what: 'removed on Meta', user };
  if (next < 0.8) {
    return {
      what: 'access',
      user,
      account: random.whole(0, fixture.accounts.length - 1),
      isGiven: random.chance(0.5),
    };
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
  if (next < 0.95) return { what: 'mail down', times, isUnanswered: random.chance(0.5) };
  return { what: 'webhooks', kind: random.pick(['webhook_drop', 'webhook_twice']), times };
}

function generateProcessFault(random: Random): WorldEvent {
  const process = random.whole(0, 1);
  const next = random.next();
  if (next < 0.45) {
    return {
      what: 'crash',
      process,
      callsLeft: random.chance(0.5) ? random.whole(1, 4) : random.whole(5, 60),
      downMs: random.pick([0, 5000, 40_000, 5 * MINUTE]),
    };
  }
  if (next < 0.65) return { what: 'second process', forMs: random.pick([30_000, 10 * MINUTE, 3 * HOUR]) };
  if (next < 0.8) {
    const kinds = Array.from({ length: random.whole(1, 3) }, () => random.pick(['before', 'after'] as const));
    return { what: 'database breaks', process, kinds };
  }
  if (next < 0.88)
    return { what: 'clock jumps', process, ms: random.pick([-90_000, -5000, 5000, 45_000, 10 * MINUTE]) };
  const names = Array.from({ length: random.whole(1, 4) }, () => random.pick(JOB_NAMES));
  return { what: 'jobs', names, process };
}
