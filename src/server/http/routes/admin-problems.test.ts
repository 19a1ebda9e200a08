import type { Updateable } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HeldEntry, HeldPage, Problem, Problems, Retried } from '#contract/admin.ts';
import type { RetriedPart, ProblemPart } from '#contract/failing.ts';
import type { UserOverHttp } from '../../../../scripts/outside/user.ts';
import { signIn } from '../../../../scripts/outside/user.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { advanceTo, advanceToNextPass } from '../../../../test/support/due.ts';
import { allMailTo, queueMail } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { waitForStatuses } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import type { Schema } from '../../db/schema.ts';

const BOSS = '7111000000011';
const HOUR = 3_600_000;

describe('paused campaigns and problems', () => {
  const suite = startSuite({ environment: { ADMIN_PLATFORM_IDS: BOSS } });
  let boss: UserOverHttp;
  let user: Advertiser;
  let later: Advertiser;

  beforeAll(async () => {
    await suite.simulators.graph.post('/seed', { users: [{ id: BOSS, name: 'The Boss', accounts: [] }] });
    boss = await signIn(suite.product.url, BOSS);
    user = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const delay = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
    later = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH', resume: delay });
  });

  const page = (query = '') => boss.get<HeldPage>(`/api/admin/held${query}`);
  const heldOf = async ({ accountId }: Advertiser): Promise<HeldEntry[]> =>
    (await page()).held.filter((entry) => entry.accountId === accountId);
  const problemsOf = async (part: ProblemPart): Promise<Problem[]> =>
    (await boss.get<Problems>('/api/admin/problems')).problems.filter((one) => one.part === part);
  const isOver = (part: ProblemPart) =>
    waitFor(`${part} to be over`, async () => (await problemsOf(part)).length === 0);
  const retry = async (part: RetriedPart, id = ''): Promise<Retried> =>
    (await boss.post<{ retried: Retried }>('/api/admin/retry', { part, id })).retried;
  const DUE = { isDue: true, blockedUntil: null };
  const NOT_DUE = { isDue: false, blockedUntil: null };
  /** Only while no worker has leased the ad account: the worker would overwrite the change. */
  const setWorkItem = ({ accountId }: Advertiser, columns: Updateable<Schema['work_item']>) =>
    waitFor('the ad account to be free', async () => {
      const { db } = suite.product.app;
      const free = db
        .updateTable('work_item')
        .where('account_id', '=', accountId)
        .where('lease_until', 'is', null);
      return (await free.set(columns).executeTakeFirst()).numUpdatedRows > 0n;
    });
  const retriesInActivityLog = () =>
    suite.product.app.db
      .selectFrom('activity')
      .innerJoin('app_user', 'app_user.id', 'activity.user_id')
      .select(['app_user.name', 'actor', 'type', 'message', 'reason'])
      .where('event', '=', 'retry')
      .orderBy('activity.id', 'desc')
      .execute();

  test('no campaign is paused', async () => {
    expect(await page()).toEqual({ held: [], next: null });
  });

  test('a paused campaign has its user, its reason and what it waits for', async () => {
    await suite.simulators.status.reports('High disruptions');
    await waitForStatuses(
      suite.simulators,
      [...user.campaignIds, ...later.campaignIds],
      ['PAUSED', 'PAUSED', 'PAUSED'],
    );
    const held = await waitFor('three holds', async () => {
      const all = (await page()).held;
      return all.length === 3 && all.every((one) => one.state === 'paused' && !one.isUnconfirmed) && all;
    });
    const row = await suite.rowOf(user);
    expect(held.find(({ campaign }) => campaign.id === user.campaignIds[0])).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      user: { id: row?.id, name: 'Some Body' },
      campaign: { id: user.campaignIds[0], name: 'Campaign 0' },
      accountId: user.accountId,
      state: 'paused',
      since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      why: { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' },
      isUnconfirmed: false,
      outlook: { kind: 'matched', at: null },
      lastError: null,
    });
    const ids = held.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect((await page(`?after=${ids[0]}`)).held.map(({ id }) => Number(id))).toEqual(ids.slice(1));
  });

  test.each(['?after=x', '?after=', `?after=${'1'.repeat(19)}`])('%s is rejected', async (query) => {
    expect((await boss.call('GET', `/api/admin/held${query}`)).status).toBe(400);
  });

  test('while the status page fails, paused campaigns wait for a known status', async () => {
    await suite.simulators.status.fault({ kind: 'html', times: 0 });
    await waitFor('the outlook', async () => (await heldOf(user))[0]?.outlook.kind === 'unknown');
    await suite.simulators.status.ask('DELETE', '/faults');
    await waitFor('the outlook', async () => (await heldOf(user))[0]?.outlook.kind === 'matched');
  });

  test('an unconfirmed write is retried once, and the activity log names the admin', async () => {
    const { db } = suite.product.app;
    const [entry] = await heldOf(later);
    const now = suite.product.clock.now();
    await setWorkItem(later, { next_due_at: new Date(now + HOUR) });
    await db
      .updateTable('hold')
      .set({ state: 'pausing', sent_at: new Date(now - 120_000), last_error: 'transient' })
      .where('id', '=', entry?.id ?? '')
      .execute();
    expect(await problemsOf('holds_unconfirmed')).toMatchObject([
      {
        id: entry?.id,
        users: [{ name: 'Some Body' }],
        campaign: { name: 'Campaign 0' },
        lastError: 'transient',
      },
    ]);
    expect((await heldOf(later))[0]?.isUnconfirmed).toBe(true);
    expect(await retry('holds_unconfirmed', entry?.id)).toEqual(DUE);
    await isOver('holds_unconfirmed');
    expect(await retry('holds_unconfirmed', entry?.id)).toEqual(NOT_DUE);
    expect(await retriesInActivityLog()).toEqual([
      {
        name: 'The Boss',
        actor: 'user',
        type: 'other',
        message: 'The Boss retried a campaign.',
        reason: `holds_unconfirmed ${entry?.id}`,
      },
    ]);
  });

  test('a failed ad account is retried, but not before the rate limit of Meta ends', async () => {
    const until = new Date(suite.product.clock.now() + HOUR);
    const blockedUntil = until.toISOString();
    const failed = { last_error: 'transient (2)', failures: 3, next_due_at: until };
    await setWorkItem(user, { ...failed, blocked_until: until });
    expect(await retry('accounts_failing', user.accountId)).toEqual({ isDue: false, blockedUntil });
    expect(await problemsOf('accounts_limited')).toMatchObject([
      { id: user.accountId, users: [{ name: 'Some Body' }], blockedUntil },
    ]);
    expect(await retriesInActivityLog()).toHaveLength(1);
    await setWorkItem(user, { blocked_until: null });
    expect(await problemsOf('accounts_failing')).toMatchObject([
      {
        id: user.accountId,
        failures: 3,
        lastError: 'transient (2)',
        nextAt: blockedUntil,
        blockedUntil: null,
      },
    ]);
    expect(await retry('accounts_failing', user.accountId)).toEqual(DUE);
    await isOver('accounts_failing');
    expect((await retriesInActivityLog())[0]?.reason).toBe(`accounts_failing ${user.accountId}`);
  });

  test('a failed email is sent once after two concurrent retries', async () => {
    const { db } = suite.product.app;
    const notifications = () => allMailTo(suite, user.email);
    const before = (await notifications()).length;
    const sent = await db
      .selectFrom('notification')
      .innerJoin('app_user', 'app_user.id', 'notification.user_id')
      .select(['notification.id', 'notification.subject'])
      .where('app_user.platform_user_id', '=', user.userId)
      .where('kind', '=', 'paused')
      .where('sent_at', 'is not', null)
      .executeTakeFirstOrThrow();
    const failedAt = new Date(suite.product.clock.now() - HOUR);
    await db
      .updateTable('notification')
      .set({ sent_at: null, failed_at: failedAt, last_error: 'EENVELOPE 550', attempts: 9 })
      .where('id', '=', sent.id)
      .execute();
    const row = { id: sent.id, kind: 'paused', failures: 9, lastError: 'EENVELOPE 550', nextAt: null };
    expect(await problemsOf('notification_failed')).toMatchObject([
      { ...row, users: [{ name: 'Some Body' }] },
    ]);
    const both = await Promise.all([
      retry('notification_failed', sent.id),
      retry('notification_failed', sent.id),
    ]);
    expect(both.filter(({ isDue }) => isDue)).toHaveLength(1);
    const again = (await notifications()).slice(before);
    expect(again).toEqual([sent.subject]);
    expect(await problemsOf('notification_failed')).toEqual([]);
    expect(await retry('notification_failed', sent.id)).toEqual(NOT_DUE);
  });

  test('an email that waits for its next attempt is sent now', async () => {
    await suite.simulators.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    const { email, userId } = await suite.advertiser({ campaigns: [] });
    await queueMail(suite.product, userId);
    await suite.product.app.runTask('outbox');
    suite.product.clock.advance(61_000);
    const waiting = await waitFor('the email to fail', async () =>
      (await problemsOf('notification_waiting')).find(({ kind }) => kind === 'token_stale'),
    );
    expect(JSON.stringify(waiting)).not.toContain('@');
    await suite.simulators.mailbox.ask('DELETE', '/faults');
    expect(await retry('notification_waiting', waiting.id ?? '')).toEqual(DUE);
    await suite.product.app.runTask('outbox');
    expect(await suite.simulators.mailbox.messagesTo(email)).toHaveLength(1);
  });

  test('a subscription that Stripe does not return is read again', async () => {
    await suite.simulators.stripe.fault({ kind: 'error', http: 500, times: 0 });
    await user.user.call('POST', '/api/stripe/refresh-subscription');
    const row = await suite.rowOf(user);
    const find = async () => (await problemsOf('readings_failing')).find(({ id }) => id === row?.id);
    expect(await find()).toMatchObject({
      lastError: expect.any(String) as string,
      users: [{ id: row?.id }],
    });
    await suite.simulators.stripe.ask('DELETE', '/faults');
    expect(await retry('readings_failing', row?.id)).toEqual(DUE);
    await suite.product.app.runTask('reading subscriptions');
    expect(await find()).toBeUndefined();
  });

  test('an account that cannot be closed says why, and closes after a retry', async () => {
    const { graph } = suite.simulators;
    const leaving = await suite.advertiser({ campaigns: [], on: 0 });
    const match = { user: leaving.userId, method: 'DELETE' };
    await graph.fault({ kind: 'error', code: 2, times: 0, match });
    expect((await leaving.user.call('POST', '/api/account/delete')).status).toBe(502);
    const found = await waitFor('the problem', async () => {
      const [problem] = await problemsOf('leaving_failing');
      if (problem === undefined) {
        await advanceTo(suite.product, (await suite.rowOf(leaving))?.leaving_retry_at?.getTime() ?? 0);
        await suite.product.app.runTask('leaving');
      }
      return problem;
    });
    expect(found).toMatchObject({
      users: [{ name: 'Some Body' }],
      kind: 'delete',
      lastError: 'transient (2)',
      nextAt: expect.any(String) as string,
    });
    await graph.ask('DELETE', '/faults');
    expect(await retry('leaving_failing', found.id ?? '')).toEqual(DUE);
    await suite.product.app.runTask('leaving');
    expect(await problemsOf('leaving_failing')).toEqual([]);
    expect(await suite.rowOf(leaving)).toBeUndefined();
  });

  test.each([
    ['notification_failed', 'act_1'],
    ['accounts_failing', '12'],
    ['holds_unconfirmed', '1'.repeat(30)],
  ] as const)('%s has no problem with the id %s', async (part, id) => {
    expect(await retry(part, id)).toEqual(NOT_DUE);
  });

  test.each([
    { part: 'accounts_limited', id: 'act_1' },
    { part: 'database', id: '1' },
    { part: 'notification_waiting' },
  ])('a retry of %o is rejected', async (body) => {
    expect((await boss.call('POST', '/api/admin/retry', body)).status).toBe(400);
  });

  test('a resume that is due names the error of its ad account', async () => {
    const { graph, status } = suite.simulators;
    await graph.fault({ kind: 'error', code: 2, times: 0, match: { user: user.userId, method: 'GET' } });
    await status.reports('Resolved');
    await waitFor('the error', async () => {
      const held = await heldOf(user);
      const isNamed = ({ outlook, lastError }: HeldEntry) =>
        outlook.kind === 'due' && lastError?.includes('transient') === true;
      return held.length === 2 && held.every(isNamed);
    });
    await graph.ask('DELETE', '/faults');
    await waitFor('both to resume', async () => {
      if ((await heldOf(user)).length === 0) return true;
      await advanceToNextPass(suite.product, user.accountId);
      return false;
    });
  });

  test('after the outage a delayed resume is scheduled', async () => {
    await waitFor('the schedule', async () => {
      const [entry, ...more] = (await page()).held;
      return more.length === 0 && entry?.accountId === later.accountId && entry.outlook.kind === 'scheduled';
    });
  });
});
