import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PersonOverHttp } from '../../../scripts/outside/person.ts';
import { signIn } from '../../../scripts/outside/person.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { startSuite } from '../../../test/suite.ts';
import { readFailing } from '../db/failing.ts';
import type { FailingPart } from '../../contract/failing.ts';
import type { Failing } from '../../contract/admin-overview.ts';

const BOSS = '7111000000009';

describe('what fails is told to administrators', () => {
  const suite = startSuite({ environment: { ADMIN_PLATFORM_IDS: BOSS } });
  let boss: PersonOverHttp;

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

  const failing = async (): Promise<Failing[]> =>
    (await boss.get<{ failing: Failing[] }>('/api/admin/failing')).failing;
  const told = (part: FailingPart) =>
    waitFor(`${part} to be told`, async () => (await failing()).find((one) => one.part === part));
  const isOver = (part: FailingPart) =>
    waitFor(`${part} to be over`, async () => !(await failing()).some((one) => one.part === part));

  test('nothing, when all is well', async () => {
    await waitFor('nothing to fail', async () => (await failing()).length === 0);
  });

  test('a silent status page, since when', async () => {
    await isOver('status_page');
    const before = suite.product.clock.now();
    await suite.simulators.status.fault({ kind: 'down', times: 0 });
    const { since, lastError } = await told('status_page');
    expect(Date.parse(since ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect(lastError).toBe('Unable to fetch status');
    await suite.simulators.status.ask('DELETE', '/faults');
    await isOver('status_page');
  });

  test('a platform that answers nobody, with the ad accounts that wait', async () => {
    const crowd = [];
    for (let more = 0; more < 4; more += 1) crowd.push(await suite.advertiser({ campaigns: ['ACTIVE'] }));
    await suite.simulators.graph.fault({ kind: 'html', http: 503, times: 0 });
    await suite.simulators.status.reports('High disruptions');
    expect(await told('meta')).toMatchObject({ count: null, lastError: 'HTTP 503 without JSON' });
    expect((await told('accounts_failing')).count).toBeGreaterThan(0);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await isOver('meta');
    await isOver('accounts_failing');
  });

  test('Stripe, until it answers', async () => {
    const { person } = await suite.advertiser({ campaigns: [] });
    await suite.simulators.stripe.fault({ kind: 'error', http: 500, times: 0 });
    await person.call('POST', '/api/stripe/refresh-subscription');
    expect((await told('stripe')).since).not.toBeNull();
    await suite.simulators.stripe.ask('DELETE', '/faults');
    await person.call('POST', '/api/stripe/refresh-subscription');
    await isOver('stripe');
  });

  test('tokens that nobody can open, until their people have logged in again', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    const { db } = suite.product.app;
    const tokens = db.updateTable('platform_token').set({ key_id: 'of-long-ago' });
    await tokens.where('person_id', '=', (await suite.rowOf(who))?.id ?? '').execute();
    expect(await told('tokens_closed')).toMatchObject({ count: 1, since: null });
    await signIn(suite.product.url, who.userId);
    await isOver('tokens_closed');
  });

  test('mails that wait, and mails that were given up', async () => {
    await suite.simulators.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    await suite.advertiser({ campaigns: [] });
    suite.product.clock.advance(61_000);
    const waiting = await told('mail_waiting');
    expect(waiting).toMatchObject({
      count: expect.any(Number) as number,
      lastError: expect.any(String) as string,
    });
    expect(JSON.stringify(waiting)).not.toContain('@');
    suite.product.clock.advance(6 * 86_400_000);
    await told('mail_given_up');
    await suite.simulators.mailbox.ask('DELETE', '/faults');
  });

  test('ad accounts that nobody works on, limits, and holds in doubt', async () => {
    const { product } = suite;
    const { db } = product.app;
    const [who, limited] = [
      await suite.advertiser({ campaigns: ['ACTIVE'] }),
      await suite.advertiser({ campaigns: [] }),
    ];
    const now = product.clock.now();
    const lane = db.updateTable('lane').where('account_id', '=', who.accountId);
    const hour = 3_600_000;
    await lane.set({ next_due_at: new Date(now + hour) }).execute();
    const behindAt = async (at: number) =>
      (await readFailing(db, at)).find(({ part }) => part === 'accounts_behind');
    expect(await behindAt(now + hour + 59_000)).toBeUndefined();
    expect(await behindAt(now + hour + 61_000)).toMatchObject({ count: 1, since: now + hour });
    await lane.set({ blocked_until: new Date(now + 2 * hour) }).execute();
    expect((await told('accounts_limited')).count).toBe(1);
    expect(await behindAt(now + hour + 61_000)).toBeUndefined();
    const person = await suite.rowOf(limited);
    await product.app.db
      .insertInto('hold')
      .values({
        person_id: person?.id ?? '',
        account_id: 'act_1',
        campaign_id: '1',
        state: 'pausing',
        in_doubt: true,
        sent_at: new Date(now - 120_000),
        created_at: new Date(now - 120_000),
      })
      .execute();
    expect(await told('holds_in_doubt')).toMatchObject({ count: 1 });
    await product.app.db.deleteFrom('hold').where('campaign_id', '=', '1').execute();
    await isOver('holds_in_doubt');
  });
});
