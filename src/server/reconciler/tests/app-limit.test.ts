import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AdAccount, Campaign, LastKnown, UserStatus } from '../../../contract/shapes.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { allMailTo } from '../../../../test/support/mail.ts';
import {
  accountIdOf,
  budgetOf,
  plantCrowd,
  plantRows,
  plantTokens,
} from '../../../../test/support/population.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { hours, minutes, seconds } from '../../../core/time.ts';
import { createTokenCipher } from '../../secrets.ts';

let log = '';
const logTo = new PassThrough();
logTo.on('data', (chunk: Buffer) => (log += chunk.toString()));

describe('a limit of the whole app', () => {
  const suite = engineSuite({ logTo, environment: { LOG_LEVEL: 'info', OPERATIONS_PORT: '0' } });
  const { advertiser, become, heldAdvertiser, holdsOf, later, mend, outage, press } = suite;
  const { recovery, report, statuses, workItemOf } = suite;
  const graph = () => suite.simulators.graph;
  const app = (body: object) => graph().post('/app', body);
  const db = () => suite.product.app.db;

  beforeEach(async () => {
    log = '';
    await graph().ask('DELETE', '/requests');
  });

  const calls = async () => (await graph().requests()).map(({ path }) => path);
  const logged = () => log.match(/Meta (refuses|serves) our app/g);
  async function metrics(): Promise<string[]> {
    const address = suite.product.app.operators?.server.address();
    if (address == null || typeof address === 'string') throw new Error('the server does not listen');
    suite.product.clock.advance(seconds(6));
    const text = await (await fetch(`http://127.0.0.1:${address.port}/metrics`)).text();
    return [...text.matchAll(/^smartpause_app_stopped{kind="(\w+)"} 1$/gm)].map(([, kind = '']) => kind);
  }
  const statusOf = async ({ user }: Advertiser) =>
    (await user.get<{ status: UserStatus }>('/api/user/status')).status;

  test('[FR-31, ENG-22] an outage begins under code 4 for 30 accounts: a call a minute in all, then all are paused', async () => {
    const crowd = { users: 30, accountsEach: 1, campaignsEach: 2 };
    const at = new Date(suite.product.clock.now());
    const tokens = await plantCrowd(graph(), crowd);
    await plantRows(db(), crowd, at);
    await plantTokens(db(), createTokenCipher([KEY_OF_TESTS]), tokens, at);
    await graph().ask('DELETE', '/requests');
    await app({ limitedMs: minutes(10) });
    await outage();
    const first = (await calls()).length;
    expect(first).toBeLessThanOrEqual(30);
    for (let half = 0; half < 19; half += 1) await later(seconds(30));
    const probes = (await calls()).slice(first);
    expect(probes.length).toBeLessThanOrEqual(10);
    // Each of another account, the highest budgets first.
    const budget = (n: number) => budgetOf(2 * n) + budgetOf(2 * n + 1);
    const byBudget = Array.from({ length: 30 }, (_, n) => n).toSorted((a, b) => budget(b) - budget(a));
    const probed = probes.map((path) => /act_\d+/.exec(path)?.[0]);
    const highest = byBudget.map(accountIdOf).slice(0, 11);
    expect(new Set(probed).size).toBe(probes.length);
    expect(highest).toEqual(expect.arrayContaining(probed));
    const items = await db().selectFrom('workItems').selectAll().execute();
    expect(items.filter((one) => one.failures > 0 || one.blockedUntil !== null)).toEqual([]);
    expect([await metrics(), logged()]).toEqual([['limited'], ['Meta refuses our app']]);
    await later(minutes(1));
    const campaigns = [...(await graph().campaigns()).values()];
    expect(campaigns.filter(({ status }) => status !== 'PAUSED')).toEqual([]);
    expect([await metrics(), logged()?.length]).toEqual([[], 2]);
  });

  interface Listed {
    campaigns: Campaign[];
    lastKnown?: LastKnown;
  }
  const list = ({ user, accountId }: Advertiser) => user.get<Listed>(`/api/campaigns/${accountId}`);
  const accounts = ({ user }: Advertiser) =>
    user.get<{ adAccounts: AdAccount[]; lastKnown?: LastKnown }>('/api/ad-accounts');

  test('[FR-31] from 70 % on pages are served from stored lists; a button, a pause and a first list are not', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const other = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await app({ usage: 70 });
    await suite.advance(minutes(6));
    // The first response says so.
    await accounts(who);
    await graph().ask('DELETE', '/requests');
    for (const one of [who, other, who]) {
      expect((await list(one)).lastKnown?.because).toBe('app_limit');
      expect((await accounts(one)).lastKnown?.because).toBe('app_limit');
    }
    const dry = await who.user.get<{ accounts: object[] }>('/api/dry-run');
    expect(dry.accounts).toMatchObject([{ isUnread: true, unreadBecause: 'app_limit' }]);
    expect(await calls()).toEqual([]);
    const pressed = press(who, 'pause');
    await suite.until('the button to be done', async () => (await statuses(who))[0] === 'PAUSED');
    expect((await pressed).status).toBe(200);
    await outage();
    await become(who, ['PAUSED', 'PAUSED']);
    // Signed up since: its list was never read.
    await advertiser({ campaigns: ['ACTIVE'] });
    await app({ usage: 69 });
    await later(minutes(6));
    await list(other);
    expect((await list(other)).lastKnown).toBeUndefined();
  });

  test('[FR-31] a page is served from stored lists during a stop and two minutes after it', async () => {
    const who = await heldAdvertiser();
    await app({ limitedMs: minutes(3) });
    await recovery();
    await suite.advance(seconds(40));
    await graph().ask('DELETE', '/requests');
    expect((await list(who)).lastKnown?.because).toBe('app_limit');
    expect((await press(who, 'pause')).body).toMatchObject({ error: { code: 'PLATFORM_UNAVAILABLE' } });
    expect(await calls()).toEqual([]);
    for (let minute = 0; minute < 4; minute += 1) await later(minutes(1));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    await graph().ask('DELETE', '/requests');
    // The line ends with the limit, before lists are read again.
    expect((await list(who)).lastKnown).toBeUndefined();
    await accounts(who);
    expect(await calls()).toEqual([]);
    await suite.advance(minutes(2));
    await accounts(who);
    expect(await calls()).not.toEqual([]);
  });

  test('[FR-31] an account that probed is resumed soon after the others, also one in debt', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const [accountId, id] = [`act_9${who.userId}`, `9${who.userId}`];
    const debt = { id, name: 'In debt', status: 'ACTIVE', daily_budget: '500000' };
    const account = { id: accountId, name: 'Overdue', currency: 'USD', account_status: 3, campaigns: [debt] };
    await suite.hasAccounts(who, [
      { id: who.accountId, name: 'An account', currency: 'USD', campaigns: [] },
      account,
    ]);
    await suite.advance(minutes(2));
    await accounts(who);
    await list({ ...who, accountId });
    await who.user.setSmartPause(accountId, id, true);
    await outage();
    await become({ campaignIds: [...who.campaignIds, id] }, ['PAUSED', 'PAUSED']);
    await app({ limitedMs: minutes(2) + seconds(30) });
    await recovery();
    for (let tens = 0; tens < 21; tens += 1) await later(seconds(10));
    expect(await statuses({ campaignIds: [...who.campaignIds, id] })).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('[FR-31] a limit at the activity log is no failure of the log: the resume waits for it', async () => {
    const who = await heldAdvertiser();
    await graph().fault({ kind: 'error', code: 4, times: 0, path: 'activities$' });
    await recovery();
    for (let minute = 0; minute < 5; minute += 1) await later(seconds(62));
    expect([(await workItemOf(who.accountId)).failures, await statuses(who)]).toEqual([0, ['PAUSED']]);
    await mend();
    await later(seconds(62));
    await become(who, ['ACTIVE']);
  });

  test('[FR-31] a limit that meets the pauses themselves stops the app, too', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await graph().fault({ kind: 'error', code: 4, times: 0, op: 'inner' });
    await outage();
    await later(seconds(10));
    expect(await metrics()).toEqual(['limited']);
    expect((await statusOf(who)).notYetPaused).toEqual({ count: 2, because: 'app_limit' });
    await mend();
    await later(seconds(62));
    await become(who, ['PAUSED', 'PAUSED']);
    expect((await holdsOf(who.accountId)).map(({ failureKind }) => failureKind)).toEqual([null, null]);
  });

  test.each([17, 32])('[FR-31] code %i limits one account alone', async (code) => {
    const [limited, free] = [
      await advertiser({ campaigns: ['ACTIVE'] }),
      await advertiser({ campaigns: ['ACTIVE'] }),
    ];
    await graph().fault({ kind: 'error', code, times: 0, user: limited.userId });
    await outage();
    expect([await statuses(limited), await statuses(free), await metrics()]).toEqual([
      ['ACTIVE'],
      ['PAUSED'],
      [],
    ]);
    expect((await workItemOf(limited.accountId)).blockedUntil).not.toBeNull();
  });

  describe('[FR-32] Meta blocks the app', () => {
    const DELETED = 'Error validating application. Application has been deleted.';

    test.each<[what: string, kind: string, begin: () => Promise<unknown>, end: () => Promise<unknown>]>([
      ['API access blocked', 'blocked', () => app({ blocked: true }), () => app({ blocked: false })],
      [
        'the app was deleted',
        'blocked',
        () => graph().fault({ kind: 'error', code: 190, message: DELETED, times: 0 }),
        () => mend(),
      ],
      [
        'the API version has ended',
        'misconfigured',
        () => graph().fault({ kind: 'error', code: 2635, times: 0 }),
        () => mend(),
      ],
    ])(
      '%s: one cause, one alarm, one sentence, and all goes on afterwards',
      async (_what, kind, begin, end) => {
        const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
        const other = await advertiser({ campaigns: ['ACTIVE'] });
        await become(other, ['PAUSED']);
        await later(minutes(20));
        const mails = [...(await allMailTo(suite, who.email)), ...(await allMailTo(suite, other.email))]
          .length;
        await graph().ask('DELETE', '/requests');
        await begin();
        for (let minute = 0; minute < 5; minute += 1) await later(minutes(1));
        await report('Resolved', 'UP');
        for (let minute = 0; minute < 8; minute += 1) {
          await later(minutes(1));
          await list(who);
          await accounts(other);
          await suite.product.app.runTask('checking tokens');
        }
        expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
        expect([await metrics(), logged()]).toEqual([[kind], ['Meta refuses our app']]);
        const lost = await db()
          .selectFrom('adAccounts')
          .select('id')
          .where('lostAt', 'is not', null)
          .execute();
        const doubted = db()
          .selectFrom('platformTokens')
          .select('userId')
          .where('rejectedAt', 'is not', null);
        const told = db().selectFrom('activities').select('event').where('actor', '=', 'meta');
        expect([lost, await doubted.execute(), await told.execute()]).toEqual([[], [], []]);
        expect((await calls()).length).toBeLessThan(20);
        expect((await statusOf(who)).isSuspended).toBe(true);
        // The banner has the reason: nothing else on the page names another one.
        const said = async () => [(await list(who)).lastKnown, (await accounts(other)).lastKnown];
        const noReason = expect.objectContaining({ because: null }) as object;
        expect(await said()).toEqual([noReason, noReason]);
        expect((await press(who, 'pause')).body).toMatchObject({
          error: { message: expect.stringContaining('your access is fine') as string },
        });
        await end();
        await later(minutes(1));
        await become(who, ['ACTIVE', 'ACTIVE']);
        await become(other, ['ACTIVE']);
        expect((await statusOf(who)).isSuspended).toBeUndefined();
        expect(await said()).toEqual([undefined, undefined]);
        // To each user that the resumes wait, and that they are done.
        expect(
          [...(await allMailTo(suite, who.email)), ...(await allMailTo(suite, other.email))].length - mails,
        ).toBe(4);
        expect([await metrics(), logged()?.length]).toEqual([[], 2]);
      },
    );

    test('a list that was not read because of it names no failure once Meta serves the app', async () => {
      const who = await heldAdvertiser();
      const other = await advertiser({ campaigns: ['PAUSED'] });
      await suite.advance(hours(2));
      await list(who);
      await app({ blocked: true });
      await suite.advance(seconds(40));
      await suite.until('the stop', async () => (await list(who)).lastKnown?.because === null);
      await app({ blocked: false });
      await suite.advance(minutes(1));
      await accounts(other);
      expect((await list(who)).lastKnown).toBeUndefined();
    });

    const blockFor = ({ userId: user }: Advertiser, code = 200) =>
      graph().fault({ kind: 'error', code, message: 'API access blocked.', times: 0, user });

    test('[ENG-22] one user is active among several: Meta’s answer to the app’s own token tells', async () => {
      const who = await heldAdvertiser();
      await advertiser({ campaigns: ['PAUSED'] });
      // Since the block before, the app’s own token is not asked with for an hour.
      await suite.advance(hours(2));
      await app({ blocked: true });
      await list(who);
      expect([await metrics(), (await statusOf(who)).isSuspended]).toEqual([['blocked'], true]);
      expect(await calls()).toContainEqual(expect.stringMatching(/\/1000000000000001$/));
    });

    test('one user alone meets it after 20 quiet minutes, with the highest budget: others are paused at once', async () => {
      const odd = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
      const fine = await advertiser({ campaigns: ['ACTIVE'] });
      await suite.advance(minutes(20));
      await blockFor(odd);
      for (let again = 0; again < 2; again += 1) await accounts(odd);
      await outage();
      expect([await statuses(fine), await metrics()]).toEqual([['PAUSED'], []]);
    });

    test.each([
      ['code 4, which one user alone meets', 4, ['limited']],
      ['a block that two users meet', 200, ['blocked']],
    ])('%s, with the highest budgets, ends within minutes', async (_what, code, stopped) => {
      const odd = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
      const second = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
      const fine = await advertiser({ campaigns: ['ACTIVE'] });
      await suite.advance(minutes(20));
      await blockFor(odd, code);
      if (code === 200) await blockFor(second, code);
      await accounts(odd);
      await accounts(second);
      await accounts(odd);
      expect(await metrics()).toEqual(stopped);
      await outage();
      for (let minute = 0; minute < 5; minute += 1) await later(seconds(62));
      expect(await statuses(fine)).toEqual(['PAUSED']);
    });

    test('one user alone meets it: only that user gets the notice', async () => {
      const odd = await heldAdvertiser();
      const fine = await advertiser({ campaigns: ['ACTIVE'] });
      await become(fine, ['PAUSED']);
      await blockFor(odd);
      await recovery();
      for (let minute = 0; minute < 12; minute += 1) {
        await later(minutes(1));
        await list(fine);
      }
      expect([await statuses(odd), await statuses(fine), await metrics()]).toEqual([
        ['PAUSED'],
        ['ACTIVE'],
        [],
      ]);
      const lost = db().selectFrom('adAccounts').select('id').where('lostAt', 'is not', null);
      expect(await lost.execute()).toEqual([{ id: odd.accountId }]);
      const told = db().selectFrom('activities').select('event').where('actor', '=', 'meta');
      expect(await told.execute()).toEqual([{ event: 'account_lost' }]);
      await mend();
      for (let minute = 0; minute < 6; minute += 1) await later(minutes(1));
      await become(odd, ['ACTIVE']);
      expect(await lost.execute()).toEqual([]);
    });

    test('one user alone meets it: no other is stopped, and no other access is doubted', async () => {
      const [odd, fine] = [
        await advertiser({ campaigns: ['ACTIVE'] }),
        await advertiser({ campaigns: ['ACTIVE'] }),
      ];
      await accounts(fine);
      await blockFor(odd);
      await outage();
      await later(minutes(1));
      expect([await statuses(odd), await statuses(fine), await metrics()]).toEqual([
        ['ACTIVE'],
        ['PAUSED'],
        [],
      ]);
      const [account] = (await accounts(fine)).adAccounts;
      expect(account?.notProtected).toBeUndefined();
      await mend();
      await later(minutes(6));
      await become(odd, ['PAUSED']);
    });
  });
});
