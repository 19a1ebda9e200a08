import { expect, test } from 'vitest';
import { RESULT_TIMEOUT_MS } from '#core/reconciler/hold.ts';
import { withWish } from '#core/reconciler/manual-write.ts';
import { updateOf } from './campaign-update.ts';
import type { Pass } from './pass.ts';

const REQUESTED_AT = 1_000_000;
const WISH = { userId: 'a', status: 'PAUSED', requestedAt: REQUESTED_AT } as const;

test.each([
  ['none while the request waits for the result', RESULT_TIMEOUT_MS - 1, []],
  ['one once the request was answered without it', RESULT_TIMEOUT_MS, ['manual_failed']],
])('a failed click has an activity: %s', (_title, afterMs, events) => {
  const change = { ...WISH, id: '1', accountId: 'act_1', campaignId: 'c' };
  const pass = {
    ...{ claim: { accountId: 'act_1' }, status: { known: 'UP' }, readAt: REQUESTED_AT },
    ...{ names: new Map(), tokens: new Map([['a', 'token']]) },
    account: { users: [], names: new Map(), changes: new Map([['c', change]]) },
  } as unknown as Pass;
  const write = { ...withWish(null, WISH), wanted: null, state: 'failed' } as const;
  const update = updateOf(
    pass,
    {
      ...{ campaignId: 'c', before: { hold: null, write: null }, hold: null, write, send: null },
      ...{ earlierUntil: null, needsLog: false, lookAt: null, reports: [{ manualFailed: 'refused' }] },
    },
    REQUESTED_AT + afterMs,
  );
  expect(update.activities.map(({ event }) => event)).toEqual(events);
  expect(update.manualEnd).toMatchObject({ id: '1', failure: 'CAMPAIGN_ACTION_FAILED' });
});
