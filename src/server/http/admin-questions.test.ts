import type { Updateable } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HeldEntry, HeldPage, QueueState, Retried, StatusHistory, StuckPage } from '#contract/admin.ts';
import type { RetriedPart, StuckPart } from '#contract/failing.ts';
import type { PersonOverHttp } from '../../../scripts/outside/person.ts';
import { signIn } from '../../../scripts/outside/person.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Advertiser } from '../../../test/product.ts';
import { waitForStatuses } from '../../../test/product.ts';
import { startSuite } from '../../../test/suite.ts';
import type { Schema } from '../db/schema.ts';

const BOSS = '7111000000011';
const HOUR = 3_600_000;

describe('what administrators ask', () => {
  const suite = startSuite({ environment: { ADMIN_PLATFORM_IDS: BOSS } });
  let boss: PersonOverHttp;
  let who: Advertiser;
  let later: Advertiser;

  beforeAll(async () => {
    await suite.simulators.graph.post('/seed', { users: [{ id: BOSS, name: 'The Boss', accounts: [] }] });
    boss = await signIn(suite.product.url, BOSS);
    who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const delay = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
    later = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH', resume: delay });
  });

  const held = async (words = ''): Promise<HeldEntry[]> =>
    (await boss.get<HeldPage>(`/api/admin/held${words}`)).held;
  const stuck = async (part: StuckPart) => (await boss.get<StuckPage>(`/api/admin/stuck/${part}`)).stuck;
  const retry = async (part: RetriedPart, id?: string): Promise<Retried> =>
    (await boss.post<{ retried: Retried }>('/api/admin/retry', { part, ...(id !== undefined && { id }) }))
      .retried;
  const queue = () => boss.get<QueueState>('/api/admin/queue');
  /** Once nobody works there, who would write over it. */
  const setLane = ({ accountId }: Advertiser, columns: Updateable<Schema['lane']>) =>
    waitFor('the lane to be free', async () => {
      const { db } = suite.product.app;
      const free = db
        .updateTable('lane')
        .where('account_id', '=', accountId)
        .where('lease_until', 'is', null);
      return (await free.set(columns).executeTakeFirst()).numUpdatedRows > 0n;
    });
  const retriesInJournal = () =>
    suite.product.app.db
      .selectFrom('activity')
      .innerJoin('person', 'person.id', 'activity.person_id')
      .select(['person.name', 'actor', 'type', 'message', 'reason'])
      .where('event', '=', 'retry')
      .orderBy('activity.id', 'desc')
      .execute();

  test('nobody is held', async () => {
    expect(await boss.get('/api/admin/held')).toEqual({ held: [], next: null, hasMorePeople: false });
  });

  test('who is held and why, since when, and what that waits for', async () => {
    await suite.simulators.status.reports('High disruptions');
    await waitForStatuses(
      suite.simulators,
      [...who.campaignIds, ...later.campaignIds],
      ['PAUSED', 'PAUSED', 'PAUSED'],
    );
    await waitFor('three to be held', async () => {
      const all = await held();
      return all.length === 3 && all.every((one) => one.state === 'paused' && !one.inDoubt);
    });
    const person = await suite.rowOf(who);
    expect((await held(`?campaign=${who.campaignIds[0]}`))[0]).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      person: { id: person?.id, name: 'Some Body' },
      campaign: { id: who.campaignIds[0], name: 'Campaign 0' },
      accountId: who.accountId,
      state: 'paused',
      since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      why: { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' },
      inDoubt: false,
      outlook: { kind: 'matched', at: null },
      isProtected: true,
      lastError: null,
    });
  });

  test('narrowed down by person, campaign, ad account and state, and in both orders', async () => {
    const ids = async (words: string) => (await held(words)).map((one) => one.campaign.id);
    expect(await ids(`?person=${later.userId}`)).toEqual(later.campaignIds);
    expect(await ids('?person=some%20body')).toHaveLength(3);
    expect(await ids('?person=nobody')).toEqual([]);
    expect((await ids(`?campaign=${who.accountId}`)).toSorted()).toEqual(who.campaignIds);
    expect(await ids('?campaign=campaign%201')).toEqual([who.campaignIds[1]]);
    expect(await ids('?state=resuming')).toEqual([]);
    expect(await ids('?state=in_doubt')).toEqual([]);
    const newest = (await held()).map(({ id }) => Number(id));
    expect(newest).toEqual(newest.toSorted((a, b) => b - a));
    expect((await held('?order=oldest')).map(({ id }) => Number(id))).toEqual(newest.toReversed());
    expect(await held(`?after=${newest[0]}`)).toHaveLength(2);
  });

  test.each([
    '?state=ended',
    '?after=x',
    '?person=%00',
    '?order=up',
    '?person=a&person=b',
    `?campaign=${'x'.repeat(101)}`,
  ])('%s is refused', async (words) => {
    expect((await boss.call('GET', `/api/admin/held${words}`)).status).toBe(400);
  });

  test('what Meta says of the status is kept: the same once, with how often, and each change', async () => {
    const history = () => boss.get<StatusHistory>('/api/admin/status-history');
    const { answers, changes, reader } = await history();
    expect(reader).toEqual(expect.any(String) as string);
    expect(answers[0]).toMatchObject({
      level: 'HIGH_DISRUPTION',
      message: 'Ads Delivery: High disruptions',
      services: [
        {
          service: 'Ads Delivery',
          level: 'HIGH_DISRUPTION',
          said: ['High disruptions', 'outage: High disruptions'],
        },
      ],
      trouble: null,
    });
    expect(changes[0]).toMatchObject({
      trueLevel: 'HIGH_DISRUPTION',
      directive: null,
      known: 'HIGH_DISRUPTION',
    });
    const [last] = answers;
    await waitFor('it to be counted', async () => {
      const [now] = (await history()).answers;
      return now?.id === last?.id && (now?.times ?? 0) > (last?.times ?? 0) + 2;
    });
    await suite.simulators.status.fault({ kind: 'html', times: 0 });
    const troubled = await waitFor('the trouble to be told', async () => {
      const [now] = (await history()).answers;
      return now?.level === 'UNKNOWN' && now;
    });
    expect(troubled.trouble).toMatch(/^\/data\/orgs\.json: no JSON, but "<!DOCTYPE html/i);
    expect((await held())[0]?.outlook.kind).toBe('unknown');
    await suite.simulators.status.ask('DELETE', '/faults');
    await waitFor(
      'it to be read again',
      async () => (await history()).answers[0]?.level === 'HIGH_DISRUPTION',
    );
  });

  test('a hold that is in doubt for long is made due, and twice is as once', async () => {
    const { db } = suite.product.app;
    const [entry] = await held(`?campaign=${later.campaignIds[0]}`);
    const now = suite.product.clock.now();
    await setLane(later, { next_due_at: new Date(now + HOUR) });
    await db
      .updateTable('hold')
      .set({ state: 'pausing', in_doubt: true, sent_at: new Date(now - 120_000), last_error: 'transient' })
      .where('id', '=', entry?.id ?? '')
      .execute();
    expect(await stuck('holds_in_doubt')).toMatchObject([
      {
        id: entry?.id,
        people: [{ name: 'Some Body' }],
        campaign: { name: 'Campaign 0' },
        lastError: 'transient',
      },
    ]);
    expect((await held('?state=in_doubt')).map(({ id }) => id)).toEqual([entry?.id]);
    expect(await retry('holds_in_doubt', entry?.id)).toEqual({ count: 1, blocked: 0, blockedUntil: null });
    await waitFor('it to be looked at', async () => (await stuck('holds_in_doubt')).length === 0);
    expect(await retry('holds_in_doubt', entry?.id)).toEqual({ count: 0, blocked: 0, blockedUntil: null });
    const [act, ...more] = await retriesInJournal();
    expect(act).toEqual({
      name: 'The Boss',
      actor: 'person',
      type: 'other',
      message: 'The Boss had 1 ad account tried again.',
      reason: `holds_in_doubt ${entry?.id}`,
    });
    expect(more).toEqual([]);
  });

  test('an ad account that failed is made due; one that Meta limits is left alone, and until when is said', async () => {
    const now = suite.product.clock.now();
    const until = new Date(now + HOUR);
    const failed = { last_error: 'transient (2)', failures: 3, next_due_at: until };
    await setLane(who, { ...failed, blocked_until: until });
    expect(await retry('accounts_failing', who.accountId)).toEqual({
      count: 0,
      blocked: 1,
      blockedUntil: until.toISOString(),
    });
    expect(await stuck('accounts_limited')).toMatchObject([
      { id: who.accountId, people: [{ name: 'Some Body' }], blockedUntil: until.toISOString() },
    ]);
    expect((await queue()).waiting.next.map(({ accountId }) => accountId)).toContain(who.accountId);
    expect(await retriesInJournal()).toHaveLength(1);
    await setLane(who, { blocked_until: null });
    expect(await stuck('accounts_failing')).toMatchObject([
      {
        id: who.accountId,
        failures: 3,
        lastError: 'transient (2)',
        nextAt: until.toISOString(),
        blockedUntil: null,
      },
    ]);
    expect(await retry('accounts_failing')).toEqual({ count: 1, blocked: 0, blockedUntil: null });
    await waitFor('it to be looked at', async () => (await stuck('accounts_failing')).length === 0);
    expect((await retriesInJournal())[0]).toMatchObject({ reason: 'accounts_failing' });
  });

  test('a mail that was given up is put into the outbox once, and is worded anew', async () => {
    const { db } = suite.product.app;
    const mails = () => suite.simulators.mailbox.messagesTo(who.email);
    const sent = await waitFor('the mail of the pause', async () => {
      const row = await db
        .selectFrom('mail')
        .innerJoin('person', 'person.id', 'mail.person_id')
        .select(['mail.id', 'mail.subject'])
        .where('person.platform_user_id', '=', who.userId)
        .where('kind', '=', 'paused')
        .where('sent_at', 'is not', null)
        .executeTakeFirst();
      return row ?? false;
    });
    const before = (await mails()).length;
    const now = suite.product.clock.now();
    await db
      .updateTable('mail')
      .set({ sent_at: null, failed_at: new Date(now - HOUR), last_error: 'EENVELOPE 550', attempts: 9 })
      .where('id', '=', sent.id)
      .execute();
    expect(await stuck('mail_given_up')).toMatchObject([
      {
        id: sent.id,
        kind: 'paused',
        failures: 9,
        lastError: 'EENVELOPE 550',
        people: [{ name: 'Some Body' }],
        nextAt: null,
      },
    ]);
    const [one, two] = await Promise.all([retry('mail_given_up', sent.id), retry('mail_given_up', sent.id)]);
    expect(one.count + two.count).toBe(1);
    const [mail] = await waitFor('it to be sent', async () => {
      const all = await mails();
      return all.length === before + 1 && all.slice(-1);
    });
    expect(mail?.subject).toBe(sent.subject);
    expect(await stuck('mail_given_up')).toEqual([]);
    expect(await retry('mail_given_up', sent.id)).toMatchObject({ count: 0 });
  });

  test('a mail that waits for its next try is sent now', async () => {
    await suite.simulators.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    const { email } = await suite.advertiser({ campaigns: [] });
    suite.product.clock.advance(61_000);
    const [waiting] = await waitFor('it to have failed', async () => {
      const all = await stuck('mail_waiting');
      return all.some(({ kind }) => kind === 'welcome') && all;
    });
    expect(JSON.stringify(waiting)).not.toContain('@');
    expect((await queue()).mails.waiting.count).toBeGreaterThan(0);
    await suite.simulators.mailbox.ask('DELETE', '/faults');
    expect((await retry('mail_waiting')).count).toBeGreaterThan(0);
    await suite.simulators.mailbox.waitFor(email, /./);
    await waitFor('none to wait', async () => (await stuck('mail_waiting')).length === 0);
  });

  test('a subscription that Stripe does not tell of is read again', async () => {
    await suite.simulators.stripe.fault({ kind: 'error', http: 500, times: 0 });
    await who.person.call('POST', '/api/stripe/refresh-subscription');
    const person = await suite.rowOf(who);
    const [failing] = (await stuck('readings_failing')).filter(({ id }) => id === person?.id);
    expect(failing).toMatchObject({ lastError: expect.any(String) as string, people: [{ id: person?.id }] });
    await suite.simulators.stripe.ask('DELETE', '/faults');
    expect(await retry('readings_failing', person?.id)).toMatchObject({ count: 1 });
    await waitFor('it to be read', async () => {
      suite.product.clock.advance(10_000);
      return !(await stuck('readings_failing')).some(({ id }) => id === person?.id);
    });
  });

  test('an account that cannot be closed says why, and is tried again when that is over', async () => {
    const { graph } = suite.simulators;
    const leaving = await suite.advertiser({ campaigns: [], on: 0 });
    await graph.fault({
      kind: 'error',
      code: 2,
      times: 0,
      match: { user: leaving.userId, method: 'DELETE' },
    });
    expect((await leaving.person.call('POST', '/api/account/delete')).status).toBe(502);
    await waitFor('it to be stuck', async () => {
      suite.product.clock.advance(5_000);
      return (await stuck('leaving_failing')).length === 1;
    });
    const [found] = await stuck('leaving_failing');
    expect(found).toMatchObject({
      people: [{ name: 'Some Body' }],
      kind: 'delete',
      lastError: 'transient (2)',
      nextAt: expect.any(String) as string,
    });
    await graph.ask('DELETE', '/faults');
    expect(await retry('leaving_failing', found?.id)).toEqual({ count: 1, blocked: 0, blockedUntil: null });
    await waitFor('it to be closed', async () => {
      suite.product.clock.advance(1_000);
      return (await stuck('leaving_failing')).length === 0 && (await suite.rowOf(leaving)) === undefined;
    });
  });

  test('the queue: what is due, who works on what, and what comes round by itself', async () => {
    const now = suite.product.clock.now();
    const inAnHour = new Date(now + HOUR);
    const { db } = suite.product.app;
    const taken = { lease_owner: 'another-process', lease_until: inAnHour, next_due_at: inAnHour };
    const limited = { blocked_until: inAnHour, next_due_at: new Date(now - 120_000) };
    const until = inAnHour.toISOString();
    const lanes = [
      { account_id: 'act_1', ...taken },
      { account_id: 'act_2', ...limited },
    ];
    const set = async () => {
      await db.deleteFrom('lane').where('account_id', 'in', ['act_1', 'act_2']).execute();
      await db.insertInto('lane').values(lanes).execute();
    };
    // The product itself may look at what is due before the question is answered.
    let found = await queue();
    await waitFor('the blocked account to be counted', async () => {
      await set();
      found = await queue();
      return found.blocked.count === 1;
    });
    expect(found.workers).toContainEqual({ name: 'another-process', count: 1, until });
    expect(found.blocked).toEqual({ count: 1, until });
    expect(found.jobs.map(({ job }) => job)).toEqual(['leaving', 'tokens', 'readings']);
    expect(found.jobs[1]?.nextAt).toEqual(expect.any(String) as string);
    await db.deleteFrom('lane').where('account_id', 'in', ['act_1', 'act_2']).execute();
  });

  test.each([
    ['mail_given_up', 'act_1'],
    ['accounts_failing', '12'],
    ['holds_in_doubt', '1'.repeat(30)],
  ] as const)('%s has nothing that is called %s', async (part, id) => {
    expect(await retry(part, id)).toEqual({ count: 0, blocked: 0, blockedUntil: null });
    expect(await boss.get(`/api/admin/stuck/${part}?after=${id}`)).toEqual({ stuck: [], next: null });
  });

  test.each(['accounts_limited', 'database'])('%s is nothing to try again', async (part) => {
    expect((await boss.call('POST', '/api/admin/retry', { part })).status).toBe(400);
  });

  test('what is due and not resumed says what its ad account fails with', async () => {
    const { graph, status } = suite.simulators;
    await graph.fault({ kind: 'error', code: 2, times: 0, match: { user: who.userId, method: 'GET' } });
    await status.reports('Resolved');
    await waitFor('the error to be told', async () => {
      const due = await held(`?campaign=${who.accountId}`);
      return (
        due.length === 2 &&
        due.every(({ outlook, lastError }) => outlook.kind === 'due' && lastError?.includes('transient'))
      );
    });
    await graph.ask('DELETE', '/faults');
    await waitFor('both to be resumed', async () => {
      suite.product.clock.advance(10_000);
      return (await held(`?campaign=${who.accountId}`)).length === 0;
    });
  });

  test('when it is over each says when it is resumed', async () => {
    await waitFor('one to be scheduled', async () => {
      const [entry, ...rest] = await held();
      return (
        rest.length === 0 && entry?.outlook.kind === 'scheduled' && entry.campaign.id === later.campaignIds[0]
      );
    });
  });
});
