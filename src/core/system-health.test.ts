import { expect, test } from 'vitest';
import type { SystemNumbers } from './system-health.ts';
import { loginsFail, systemHealthOf } from './system-health.ts';
import { days, minutes, seconds } from './time.ts';

const now = minutes(100);
const oldest = null;
const read = {
  ...{ effectiveLevel: 'UP', isOverridden: false, override: null },
  ...{ trouble: null, missing: [], silentIncidents: [] },
};
const QUIET: SystemNumbers = {
  statusPage: { ...read, readAt: now - seconds(60), trueLevel: 'UP' },
  app: { stopped: null, said: null, usedRatio: 0.9, oldest },
  queue: { due: 1, working: 1, limited: 1, planned: 1, oldest: now - minutes(1) },
  jobs: { due: 1, oldest: now - minutes(15) },
  accounts: { failing: 0, oldest },
  holds: { pausing: 1, paused: 1, resuming: 1, notResumable: 0, oldest },
  writes: { unconfirmed: 0, oldest },
  emails: { waiting: 1, retried: 0, failed: 0, oldest: now - minutes(30) },
  tokens: { refused: 0, undecryptable: 0, oldest },
  tokenChecks: { oldest },
  logins: { unfinished: 2, declined: 7, oldest: now - days(7) },
  leaving: { users: 1, failing: 0, oldest },
  subscriptions: { failing: 0, oldest },
};

test.each<[keyof SystemNumbers | null, object]>([
  [null, {}],
  ['statusPage', { readAt: now - seconds(60) - 1 }],
  ['statusPage', { trueLevel: 'UNKNOWN' }],
  ['app', { stopped: 'limited', said: 'Limit', usedRatio: 1, oldest: now }],
  ['app', { stopped: 'blocked', oldest: now }],
  ['app', { stopped: 'misconfigured', oldest: now }],
  ['queue', { oldest: now - minutes(1) - 1 }],
  ['jobs', { oldest: now - minutes(15) - 1 }],
  ['accounts', { failing: 1 }],
  ['holds', { notResumable: 1 }],
  ['writes', { unconfirmed: 1 }],
  ['emails', { retried: 1 }],
  ['emails', { failed: 1 }],
  ['emails', { oldest: now - minutes(30) - 1 }],
  ['tokens', { refused: 1 }],
  ['tokens', { undecryptable: 1 }],
  ['tokenChecks', { oldest: now }],
  ['logins', { unfinished: 3 }],
  ['leaving', { failing: 1 }],
  ['subscriptions', { failing: 1 }],
])('%s needs attention with %j', (part, numbers) => {
  const found = part === null ? QUIET : { ...QUIET, [part]: { ...QUIET[part], ...numbers } };
  const health = systemHealthOf(found, { now, staleMs: seconds(60) });
  const inNeed = Object.entries(health).filter(([, { needsAttention }]) => needsAttention);
  expect(inNeed.map(([name]) => name)).toEqual(part === null ? [] : [part]);
});

test.each([
  ['no login began', 0, 0, null, false],
  ['three browsers did not come back', 3, 0, days(2), true],
  ['the first of them began later', 3, 0, days(2) - 1, false],
  ['two did not, although others declined', 2, 7, days(7), false],
  ['all ten were declined, as by an app in development mode', 0, 10, days(2), true],
  ['nine were declined', 0, 9, days(7), false],
  ['many began within a day', 500, 500, days(1), false],
])('[FR-35] logins fail: %s', (_title, unfinished, declined, ageMs, fail) => {
  const first = ageMs === null ? null : now - ageMs;
  expect(loginsFail({ unfinished, declined, oldest: first }, now)).toBe(fail);
});
