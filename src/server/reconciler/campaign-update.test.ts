import { expect, test } from 'vitest';
import { newHold } from '#core/reconciler/world.ts';
import { withWish } from '#core/reconciler/manual-write.ts';
import { INITIAL_STATUS } from '#core/smartpause/status.ts';
import { updateOf } from './campaign-update.ts';
import type { Pass } from './pass.ts';

const REQUESTED_AT = 1_000_000;
const WISH = { userId: 'a', status: 'PAUSED', requestedAt: REQUESTED_AT } as const;
const REST = { campaignId: 'c', send: null, earlierUntil: null, needsLog: false, lookAt: null };

function passWith(changes: object[]): Pass {
  return {
    ...{ claim: { accountId: 'act_1' }, status: { known: 'UP' }, readAt: REQUESTED_AT },
    ...{ names: new Map(), tokens: new Map([['a', 'token']]) },
    stored: { users: [], names: new Map(), changes: new Map(changes.map((one) => ['c', one])) },
  } as unknown as Pass;
}

test('a failed click has an activity', () => {
  // The last write is of an earlier click.
  const earlier = withWish(null, { ...WISH, requestedAt: REQUESTED_AT - 1 });
  const write = { ...earlier, wanted: null, state: 'failed', refusal: 'Too many ads' } as const;
  const update = updateOf(passWith([{ ...WISH, id: '1', accountId: 'act_1', campaignId: 'c' }]), {
    ...{ ...REST, before: { hold: null, write: null }, hold: null, write },
    reports: [{ manualFailed: 'refused' }],
  });
  expect(update.activities.map(({ event }) => event)).toEqual(['manual_failed']);
  expect(update.manualEnd).toMatchObject({ id: '1', failure: 'CAMPAIGN_ACTION_FAILED', refusal: null });
});

test.each([
  ['gets an activity of an outage', null, ['a', 'b']],
  ['gets none of a live test', REQUESTED_AT, ['b']],
])('the former user of a hold that another one takes over %s', (_title, testUntil, told) => {
  const world = { status: INITIAL_STATUS, readAt: REQUESTED_AT };
  const former = newHold(world, { id: 'a', threshold: 'LOW' }, REQUESTED_AT, testUntil);
  const hold = { ...former, userId: 'b' };
  const { activities } = updateOf(passWith([]), {
    ...REST,
    before: { hold: former, write: null },
    hold,
    write: null,
    reports: ['taken_over'],
  });
  expect(activities.map(({ userId }) => userId).toSorted()).toEqual(told);
});
