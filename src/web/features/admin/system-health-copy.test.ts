import { expect, test } from 'vitest';
import type { SystemHealth } from '#contract/system-health.ts';
import { partCopy } from './system-health-copy.ts';

const part = { needsAttention: false, oldest: null };
const HEALTHY: SystemHealth = {
  statusPage: { needsAttention: false, readAt: '2026-01-09T02:47:00Z', trouble: null, missing: [] },
  queue: { ...part, due: 1 },
  accounts: { ...part, failing: 0 },
  holds: { ...part, pausing: 0, paused: 5000, resuming: 0, notResumable: 0 },
  writes: { ...part, unconfirmed: 0 },
  emails: { ...part, waiting: 2, retried: 0, failed: 0 },
  tokens: { ...part, refused: 0, undecryptable: 0 },
  leaving: { ...part, users: 1, failing: 0 },
  subscriptions: { ...part, failing: 0 },
  webhooks: { ...part, failing: 0 },
};

test('zeros are left out beside the first count', () => {
  expect(partCopy('holds', HEALTHY.holds).value).toBe('5,000 paused');
  expect(partCopy('holds', { ...HEALTHY.holds, resuming: 1, notResumable: 2 }).value).toBe(
    '5,000 paused, 1 resuming, 2 can’t be resumed now',
  );
  expect(partCopy('emails', { ...HEALTHY.emails, failed: 1 }).value).toBe('2 waiting, 1 abandoned today');
  expect(partCopy('queue', HEALTHY.queue).value).toBe('1 ad account due');
});

test('[FR-15] the status page names what is missing', () => {
  const missing = { ...HEALTHY.statusPage, missing: ['Ads Delivery'], trouble: '/data/orgs.json: HTTP 500' };
  expect(partCopy('statusPage', missing).problem).toMatch(
    / Not found or not understood: Ads Delivery\. Last error: \/data\/orgs\.json: HTTP 500$/,
  );
});

test('a missing key has its own remedy', () => {
  const tokens = { ...HEALTHY.tokens, needsAttention: true, refused: 1 };
  expect(partCopy('tokens', tokens).problem).toContain('log in again');
  expect(partCopy('tokens', { ...tokens, undecryptable: 1 }).problem).toContain('ENCRYPTION_KEY');
});
