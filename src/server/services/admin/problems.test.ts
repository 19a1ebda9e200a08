import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Problem, Problems } from '#contract/admin.ts';
import type { FailingPart } from '#contract/failing.ts';
import type { UserOverHttp } from '../../../../scripts/outside/user.ts';
import { signIn } from '../../../../scripts/outside/user.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { findProblems } from '../../db/reports/problems.ts';

const BOSS = '7111000000009';
const HOUR = 3_600_000;

describe('problems that an admin sees', () => {
  const suite = startSuite({ environment: { ADMIN_PLATFORM_IDS: BOSS } });
  let boss: UserOverHttp;

  beforeAll(async () => {
    const users = [{ id: BOSS, name: 'The Boss', accounts: [] }];
    await suite.simulators.graph.post('/seed', { users });
    boss = await signIn(suite.product.url, BOSS);
  });
  afterEach(async () => {
    const { graph, status, stripe, mailbox } = suite.simulators;
    for (const one of [graph, status, stripe, mailbox]) await one.ask('DELETE', '/faults');
    await status.reports('Resolved');
  });

  const list = async (): Promise<Problem[]> => (await boss.get<Problems>('/api/admin/problems')).problems;
  const find = (part: FailingPart) =>
    waitFor(part, async () => (await list()).find((one) => one.part === part));
  const isOver = (part: FailingPart) =>
    waitFor(`${part} to be over`, async () => !(await list()).some((one) => one.part === part));

  test('none when everything works', async () => {
    await waitFor('no problem', async () => (await list()).length === 0);
  });

  test('the status page is unreadable, with its start', async () => {
    await isOver('status_page');
    const before = suite.product.clock.now();
    await suite.simulators.status.fault({ kind: 'down', times: 0 });
    const { since, lastError } = await find('status_page');
    expect(Date.parse(since ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect(lastError).toBe('Unable to fetch status');
    await suite.simulators.status.ask('DELETE', '/faults');
    await isOver('status_page');
  });

  test('Meta answers no call and ad accounts fail; the widest problem comes first', async () => {
    const crowd = [];
    for (let more = 0; more < 4; more += 1) crowd.push(await suite.advertiser({ campaigns: ['ACTIVE'] }));
    await suite.simulators.graph.fault({ kind: 'html', http: 503, times: 0 });
    await suite.simulators.status.reports('High disruptions');
    expect(await find('meta')).toMatchObject({ id: null, lastError: 'HTTP 503 without JSON' });
    const { id } = await find('accounts_failing');
    expect(crowd.map(({ accountId }) => accountId)).toContain(id);
    const parts = (await list()).map(({ part }) => part);
    expect(parts.indexOf('meta')).toBeLessThan(parts.indexOf('accounts_failing'));
    await suite.simulators.graph.ask('DELETE', '/faults');
    await isOver('meta');
    await isOver('accounts_failing');
  });

  test('Stripe, until it answers', async () => {
    const { user } = await suite.advertiser({ campaigns: [] });
    await suite.simulators.stripe.fault({ kind: 'error', http: 500, times: 0 });
    await user.call('POST', '/api/stripe/refresh-subscription');
    expect((await find('stripe')).since).not.toBeNull();
    await suite.simulators.stripe.ask('DELETE', '/faults');
    await user.call('POST', '/api/stripe/refresh-subscription');
    await isOver('stripe');
  });

  test('tokens that cannot be decrypted, until their users log in again', async () => {
    const user = await suite.advertiser({ campaigns: [] });
    const { db } = suite.product.app;
    const tokens = db.updateTable('platform_token').set({ key_id: 'of-long-ago' });
    await tokens.where('user_id', '=', (await suite.rowOf(user))?.id ?? '').execute();
    expect(await find('tokens_closed')).toMatchObject({ failures: 1, since: null });
    await signIn(suite.product.url, user.userId);
    await isOver('tokens_closed');
  });

  test('waiting and failed emails', async () => {
    await suite.simulators.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    await suite.advertiser({ campaigns: [] });
    suite.product.clock.advance(61_000);
    const waiting = await find('notification_waiting');
    expect(waiting.lastError).not.toBeNull();
    expect(JSON.stringify(waiting)).not.toContain('@');
    suite.product.clock.advance(6 * 24 * HOUR);
    await find('notification_failed');
  });

  test('overdue and limited ad accounts, and unconfirmed writes', async () => {
    const { db } = suite.product.app;
    const { accountId } = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const other = await suite.advertiser({ campaigns: [] });
    const now = suite.product.clock.now();
    const workItem = db.updateTable('work_item').where('account_id', '=', accountId);
    await workItem.set({ next_due_at: new Date(now + HOUR) }).execute();
    const behindAt = async (at: number) =>
      (await findProblems(db, 'accounts_behind', { limit: 50, now: at })).filter(
        ({ id }) => id === accountId,
      );
    expect(await behindAt(now + HOUR + 59_000)).toEqual([]);
    expect(await behindAt(now + HOUR + 61_000)).toMatchObject([{ since: now + HOUR }]);
    await workItem.set({ blocked_until: new Date(now + 2 * HOUR) }).execute();
    expect((await find('accounts_limited')).id).toBe(accountId);
    expect(await behindAt(now + HOUR + 61_000)).toEqual([]);
    const user = await suite.rowOf(other);
    const sentAt = new Date(now - 120_000);
    await db
      .insertInto('hold')
      .values({
        user_id: user?.id ?? '',
        account_id: 'act_1',
        campaign_id: '1',
        state: 'pausing',
        sent_at: sentAt,
        created_at: sentAt,
      })
      .execute();
    expect((await find('holds_unconfirmed')).campaign).toEqual({ id: '1', name: null });
    await db.deleteFrom('hold').where('campaign_id', '=', '1').execute();
    await isOver('holds_unconfirmed');
  });

  test('more than a page of one kind: the first 50, and a mark for more', async () => {
    const { db } = suite.product.app;
    const later = new Date(suite.product.clock.now() + HOUR);
    const workItems = Array.from({ length: 51 }, (_, n) => ({
      account_id: `act_99${n}`,
      next_due_at: later,
      last_error: 'transient (2)',
    }));
    await db.insertInto('work_item').values(workItems).execute();
    const { problems, hasMore } = await boss.get<Problems>('/api/admin/problems');
    expect(hasMore).toBe(true);
    expect(problems.filter(({ part }) => part === 'accounts_failing')).toHaveLength(50);
    await db.deleteFrom('work_item').where('account_id', 'like', 'act_99%').execute();
    expect((await boss.get<Problems>('/api/admin/problems')).hasMore).toBe(false);
  });
});
