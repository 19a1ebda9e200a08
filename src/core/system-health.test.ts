import { expect, test } from 'vitest';
import type { SystemNumbers } from './system-health.ts';
import { systemHealthOf } from './system-health.ts';
import { minutes, seconds } from './time.ts';

const now = minutes(100);
const oldest = null;
const read = { effectiveLevel: 'UP', isOverridden: false, trouble: null, missing: [], silentIncidents: [] };
const QUIET: SystemNumbers = {
  statusPage: { ...read, readAt: now - seconds(60), trueLevel: 'UP' },
  queue: { due: 1, working: 1, limited: 1, planned: 1, oldest: now - minutes(1) },
  accounts: { failing: 0, oldest },
  holds: { pausing: 1, paused: 1, resuming: 1, notResumable: 0, oldest },
  writes: { unconfirmed: 0, oldest },
  emails: { waiting: 1, retried: 0, failed: 0, oldest: now - minutes(30) },
  tokens: { refused: 0, undecryptable: 0, oldest },
  leaving: { users: 1, failing: 0, oldest },
  subscriptions: { failing: 0, oldest },
};

test.each<[keyof SystemNumbers | null, object]>([
  [null, {}],
  ['statusPage', { readAt: now - seconds(60) - 1 }],
  ['statusPage', { trueLevel: 'UNKNOWN' }],
  ['queue', { oldest: now - minutes(1) - 1 }],
  ['accounts', { failing: 1 }],
  ['holds', { notResumable: 1 }],
  ['writes', { unconfirmed: 1 }],
  ['emails', { retried: 1 }],
  ['emails', { failed: 1 }],
  ['emails', { oldest: now - minutes(30) - 1 }],
  ['tokens', { refused: 1 }],
  ['tokens', { undecryptable: 1 }],
  ['leaving', { failing: 1 }],
  ['subscriptions', { failing: 1 }],
])('%s needs attention with %j', (part, numbers) => {
  const found = part === null ? QUIET : { ...QUIET, [part]: { ...QUIET[part], ...numbers } };
  const health = systemHealthOf(found, { now, staleMs: seconds(60) });
  const inNeed = Object.entries(health).filter(([, { needsAttention }]) => needsAttention);
  expect(inNeed.map(([name]) => name)).toEqual(part === null ? [] : [part]);
});
