import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { changesOf, waitForStatuses } from '../../../test/support/product.ts';
import type { Moment } from './suite.ts';
import { startCrashSuite } from './suite.ts';

const MARKED = '^commit after.*set "leaving" =';
const FORGOTTEN = '^commit after.*delete from "(platform_token|app_user)"';

const MOMENTS: [title: string, moment: Moment][] = [
  ['with the wish written and not committed', { statement: MARKED, when: 'before' }],
  ['with the wish committed', { statement: MARKED, when: 'after' }],
  ['with the resume on its way', { fault: 'hang_before', method: 'POST' }],
  ['with the resume done and not answered', { fault: 'hang_after', method: 'POST' }],
  ['with the revocation on its way', { fault: 'hang_before', method: 'DELETE' }],
  ['with the revocation done and not answered', { fault: 'hang_after', method: 'DELETE' }],
  ['with everything forgotten and not committed', { statement: FORGOTTEN, when: 'before' }],
  ['with everything forgotten', { statement: FORGOTTEN, when: 'after' }],
];

/** Both cases are the same until the revocation. */
const FROM_REVOCATION = MOMENTS.slice(4);
/** Longer than an unconfirmed write and the lease on a notification last. */
const AHEAD_MS = 10 * 60_000;

describe.each([
  ['deauthorize', '[API-07, ENG-14]', /no longer has access/, FROM_REVOCATION],
  ['delete', '[API-08, ENG-14]', /account is deleted/, MOMENTS],
] as const)('%s, killed and restarted', (how, id, farewell, moments) => {
  const suite = startCrashSuite({ aheadMs: AHEAD_MS });

  async function userRow({ userId }: Advertiser): Promise<Record<string, unknown> | undefined> {
    return (await suite.rows('select id, leaving from app_user where platform_user_id = $1', [userId]))[0];
  }

  async function isForgotten(who: Advertiser): Promise<boolean> {
    const row = await userRow(who);
    if (how === 'delete') return row === undefined;
    const tokens = await suite.rows('select from platform_token where user_id = $1', [row?.['id']]);
    return row?.['leaving'] === null && tokens.length === 0;
  }

  test.each(moments)(
    `${id} %s: resumes held campaigns, revokes the permission, then deletes all data`,
    async (_title, moment) => {
      const who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], resume: { mode: 'next_day' } });
      const { graph, mailbox, status } = suite.simulators;
      await status.reports('High disruptions');
      await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
      const paused = `select from hold where account_id = $1 and state = 'paused'`;
      await waitFor('the hold to be settled', async () => {
        return (await suite.rows(paused, [who.accountId])).length === 1;
      });

      await suite.killedAt(moment, who, () => who.user.call('POST', `/api/account/${how}`));
      // A request that was not committed is sent again; all others continue by themselves.
      if ((await userRow(who))?.['leaving'] === null && !(await isForgotten(who))) {
        await who.user.post(`/api/account/${how}`);
      }
      await waitFor('everything to be forgotten', () => isForgotten(who));

      const [held = '', untouched = ''] = who.campaignIds;
      expect(await changesOf(suite.simulators, held)).toEqual(['PAUSED', 'ACTIVE']);
      expect(await changesOf(suite.simulators, untouched)).toEqual([]);
      const { users } = await graph.ask<{ users: { id: string; permissions: object }[] }>('GET', '/state');
      expect(users.find((user) => user.id === who.userId)?.permissions).toEqual({});
      await mailbox.waitFor(who.email, farewell);
      const sessions = await suite.rows('select from session where user_id = $1', [
        (await userRow(who))?.['id'],
      ]);
      expect(sessions).toEqual([]);
    },
  );
});
