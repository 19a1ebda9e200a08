import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { hours, minutes, seconds } from '#core/time.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { OPEN_APP, silentLog } from '../../../../test/support/database.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { readSpend } from '../../db/campaign-spend.ts';
import { createTokenCipher } from '../../secrets.ts';
import { readSpend as readDueSpend } from './spend-reads.ts';

describe('[SPEND-01] reads of hourly spend', () => {
  const suite = engineSuite();
  const db = () => suite.product.app.db;
  const graph = () => suite.simulators.graph;
  const step = () => suite.product.app.runTask('reading spend');
  const plan = () => suite.product.app.runTask('planning reads of spend');

  /** The advertiser's job is planned, and the only one. */
  async function advertiser(
    given: Partial<Parameters<typeof suite.advertiser>[0]> = {},
  ): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], ...given });
    await graph().post(`/accounts/${who.accountId}`, { timezone_name: zoneAtNoon() });
    await sql`update ad_accounts set time_zone = ${zoneAtNoon()} where id = ${who.accountId}`.execute(db());
    await sql`update account_jobs set due_at = null where kind = 'spend'`.execute(db());
    await plan();
    await sql`update account_jobs set due_at = null where kind = 'spend' and account_id <> ${who.accountId}`.execute(
      db(),
    );
    return who;
  }

  /** The night is far away, whenever the test runs. */
  function zoneAtNoon(): string {
    const behind = new Date(suite.product.clock.now()).getUTCHours() - 12;
    return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
  }

  async function steps(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await step();
      await suite.advance(minutes(2));
    }
  }

  /** The calls to the insights in that time. */
  async function calls(then: () => Promise<unknown>): Promise<{ begun: number; all: number }> {
    const entries = async () =>
      (await graph().requests()).filter(({ path }) => /insights|\/6\d{15}/.test(path));
    const before = (await entries()).length;
    await then();
    const after = (await entries()).slice(before);
    return { begun: after.filter(({ method }) => method === 'POST').length, all: after.length };
  }
  const stored = ({ campaignIds }: Pick<Advertiser, 'campaignIds'>) =>
    readSpend(db(), campaignIds, { first: '2000-01-01', last: '9999-01-01' });
  const daysOf = async (who: Pick<Advertiser, 'campaignIds'>) =>
    new Set((await stored(who)).map(({ day }) => day)).size;
  const sum = (values: number[] | null) => (values ?? []).reduce((total, one) => total + one, 0);

  /** Moves on to the next time at which a job is due. */
  async function toNextRead(who: Advertiser): Promise<number> {
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from due_at - now())::float8 * 1000 as ms from account_jobs
      where kind = 'spend' and account_id = ${who.accountId}`.execute(db());
    const ms = rows[0]?.ms ?? NaN;
    await suite.advance(ms + seconds(1));
    return ms;
  }

  test('28 days at first, then each night the last one and three again', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'PAUSED'] });
    expect(await calls(() => steps(29))).toEqual({ begun: 28, all: 28 * 3 });
    const rows = await stored(who);
    expect(rows).toHaveLength(2 * 28);
    for (const { campaignId, spend, impressions } of rows) {
      const isRunning = campaignId === who.campaignIds[0];
      expect([spend?.length, impressions?.length]).toEqual(isRunning ? [24, 24] : [undefined, undefined]);
      if (isRunning) expect(sum(spend)).toBeGreaterThan(0);
    }
    expect(await calls(step)).toEqual({ begun: 0, all: 0 });
    await toNextRead(who);
    expect(await calls(() => steps(5))).toEqual({ begun: 4, all: 12 });
    expect(await daysOf(who)).toBe(29);
    expect(await toNextRead(who)).toBeGreaterThan(hours(22));
  });

  test('none in an outage, nor while a campaign is held; then it goes on where it was', async () => {
    const who = await advertiser();
    await steps(3);
    await suite.outage();
    expect(await suite.statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect(await calls(() => steps(3))).toEqual({ begun: 0, all: 0 });
    await suite.recovery();
    await suite.become(who, ['ACTIVE', 'ACTIVE']);
    await sql`update holds set state = 'paused', ended_at = null, outcome = null
      where id = (select max(id) from holds where account_id = ${who.accountId})`.execute(db());
    expect(await calls(() => steps(2))).toEqual({ begun: 0, all: 0 });
    await sql`update holds set state = 'ended', ended_at = now(), outcome = 'resumed' where state = 'paused'`.execute(
      db(),
    );
    await suite.advance(minutes(15));
    expect((await calls(() => steps(2))).begun).toBe(2);
    expect(await daysOf(who)).toBe(4);
  });

  test.each<[string, Record<string, unknown>]>([
    ['stopped', { limitedMs: minutes(5) }],
    ['nearly used up', { usage: 70 }],
  ])('none while the app is %s', async (_what, app) => {
    const who = await advertiser();
    await graph().post('/app', app);
    await suite.accountsOf(who);
    await suite.advance(seconds(6));
    await suite.accountsOf(who);
    expect(await calls(step)).toEqual({ begun: 0, all: 0 });
    await graph().post('/app', { limitedMs: 0, usage: 0 });
    await suite.advance(minutes(6));
    await suite.accountsOf(who);
    await suite.advance(minutes(3));
    expect(await calls(step)).toEqual({ begun: 1, all: 1 });
  });

  test('a process that ends leaves its report to the next one, which does not ask for it again', async () => {
    const who = await advertiser();
    await steps(3);
    expect(await daysOf(who)).toBe(2);
    await suite.restart();
    expect(await calls(step)).toEqual({ begun: 1, all: 3 });
    expect(await daysOf(who)).toBe(3);
  });

  test.each([
    ['of the ad account', { code: 80_000, subcode: 2446079 }],
    ['of the insights platform', { code: 4, subcode: 1504022 }],
  ])('a limit %s holds up nothing but them', async (_what, error) => {
    const who = await advertiser();
    await graph().fault({ kind: 'error', ...error, times: 0, path: 'insights' });
    expect(await calls(() => steps(5))).toEqual({ begun: 1, all: 1 });
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED']);
    await suite.recovery();
    await suite.become(who, ['ACTIVE', 'ACTIVE']);
    await suite.mend();
    await suite.advance(minutes(45));
    expect((await calls(() => steps(3))).begun).toBe(3);
  });

  test('from 75 % of the limit on a step waits', async () => {
    const who = await advertiser();
    const { clock } = suite.product;
    const usage = { tier: null, percent: 75, regainAt: null, resetAt: null, at: clock.now() };
    const begin = () => Promise.resolve({ ok: true as const, value: '6000000000000000', usage });
    const unexpected = () => Promise.reject(new Error('not expected'));
    await readDueSpend({
      ...{ db: db(), clock, owner: 'me', app: OPEN_APP, isPlatformDown: () => false, log: silentLog },
      cipher: createTokenCipher([KEY_OF_TESTS]),
      spendReports: { begin, read: unexpected, readDay: unexpected },
    });
    expect(await toNextRead(who)).toBeGreaterThan(minutes(14));
  });

  test('failures of Meta in the insights stop no other call, and end for the night after five', async () => {
    const who = await advertiser();
    await graph().fault({ kind: 'error', code: 2, times: 0, path: 'insights' });
    for (let n = 0; n < 6; n++) {
      await step();
      await suite.advance(minutes(16));
    }
    const { rows } = await sql<{ isLater: boolean }>`
      select due_at > now() + interval '1 hour' as is_later from account_jobs where kind = 'spend' and due_at is not null`.execute(
      db(),
    );
    const tries = await suite.tries();
    expect([rows, tries]).toEqual([[{ isLater: true }], 5]);
    await suite.mend();
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED']);
    await suite.recovery();
  });

  test('another user reads it if the first one may not', async () => {
    const who = await advertiser();
    await suite.protectorOf(who);
    await graph().fault({ kind: 'error', code: 200, times: 0, path: 'insights', user: who.userId });
    await steps(3);
    expect(await daysOf(who)).toBe(2);
    await suite.mend();
  });

  test('a report that is too large, or that Meta does not make, is split', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE'] });
    await graph().post('/insights', { largestReport: 3 * 24 });
    await graph().fault({ kind: 'failed_report' });
    // Refused as five, then not made as three, made as two and two and one.
    await steps(7);
    await graph().post('/insights', { largestReport: 50_000 });
    const [first, ...others] = Map.groupBy(await stored(who), ({ day }) => day).values();
    expect([first?.length, others.length]).toEqual([5, 0]);
  });

  test('a report of the ad account that Meta does not make holds up no campaign', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'], on: 2 });
    await steps(29);
    expect(await daysOf(who)).toBe(28);
    await graph().fault({ kind: 'failed_report', times: 0 });
    await steps(12);
    await suite.mend();
    expect(await toNextRead(who)).toBeGreaterThan(hours(10));
    await steps(2);
    const newest = (await stored(who)).filter(({ day }, _n, all) => day === all.at(-1)?.day);
    // Both in one report.
    expect([newest.length, await daysOf(who)]).toEqual([2, 29]);
  });

  test('a report that takes more than an hour is asked for again', async () => {
    const who = await advertiser();
    await graph().post('/insights', { reportMs: hours(2) });
    expect(await calls(() => steps(20))).toEqual({ begun: 1, all: 20 });
    await graph().post('/insights', { reportMs: 0 });
    expect((await calls(() => steps(14))).begun).toBe(1 + 2);
    expect(await daysOf(who)).toBe(2);
  });

  test('values by the clock of the ad account are those that Meta shows', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await steps(2);
    const [row] = await stored(who);
    const token = (await graph().post<{ access_token: string }>('/tokens', { userId: who.userId }))
      .access_token;
    const { http } = suite.simulators.transports;
    const url = new URL(`${suite.simulators.urls.get('meta-graph') ?? ''}/v26.0/${who.accountId}/insights`);
    url.search = new URLSearchParams({
      ...{ access_token: token, level: 'campaign', fields: 'spend,impressions', limit: '500' },
      time_range: JSON.stringify({ since: row?.day, until: row?.day }),
    }).toString();
    const answer = await http.send({ method: 'GET', url });
    const [total] = answer.ok
      ? (JSON.parse(answer.body) as { data: { spend: string; impressions: string }[] }).data
      : [];
    expect(Math.round(Number(total?.spend) * 100) / sum(row?.spend ?? null)).toBeCloseTo(1, 2);
    expect(Number(total?.impressions) / sum(row?.impressions ?? null)).toBeCloseTo(1, 2);
  });
});
