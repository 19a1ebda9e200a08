import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { daysToRead } from '#core/spend/reading.ts';
import { days, hours, minutes } from '#core/time.ts';
import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import { Limits } from '../../simulators/meta-graph/limits.ts';
import { OPEN_APP, silentLog, useFreshDb } from '../../test/support/database.ts';
import { plantTokens, replantRows } from '../../test/support/population.ts';
import { KEY_OF_TESTS } from '../../test/support/product.ts';
import type { SpendReports } from '../../src/server/platforms/platform.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { planSpendReads } from '../../src/server/db/campaign-spend.ts';
import { readSpend } from '../../src/server/services/campaigns/spend-reads.ts';

const ROWS_OF_A_PAGE = 500;

describe('[SPEND-01] the nightly reads of spend', () => {
  const clock = new OffsetClock();
  const db = useFreshDb(clock);
  const cipher = createTokenCipher([KEY_OF_TESTS]);

  /** Meta's limit of the development tier, for ad accounts without active ads. Every campaign has spent in each hour. */
  function countedReports() {
    const limits = new Limits();
    limits.setTier('development_access');
    const refused: string[] = [];
    let calls = 0;
    const count = (accountId: string, times: number) => {
      calls += times;
      for (let n = 0; n < times; n++)
        if (limits.countInsights(accountId, 0, clock.now()).refused !== null) refused.push(accountId);
    };
    const spend = Array.from({ length: 24 }, () => 1234);
    const asked = new Map<string, readonly string[]>();
    const reports: SpendReports = {
      begin(_token, accountId, _day, ids) {
        count(accountId, 1);
        asked.set(accountId, ids ?? [accountId]);
        return Promise.resolve({ ok: true, value: accountId, usage: null });
      },
      read(_token, accountId) {
        const ids = asked.get(accountId) ?? [];
        count(accountId, 1 + Math.ceil((24 * ids.length) / ROWS_OF_A_PAGE));
        const value = new Map(ids.map((id) => [id, { spend, impressions: spend }]));
        return Promise.resolve({ ok: true, value, usage: null });
      },
      readDay: () => Promise.reject(new Error('no look is planned')),
    };
    return { reports, refused, calls: () => calls };
  }

  test.each([
    ['10,000 campaigns in 100 ad accounts', { users: 50, accountsEach: 2, campaignsEach: 100 }, 100 * 4 * 7],
    ['2,000 campaigns in one', { users: 1, accountsEach: 1, campaignsEach: 2000 }, 20 * 4 * 7],
  ])('of %s stay within the limits of the development tier', async (_what, population, most) => {
    // The night is far away.
    clock.advance(days(1) - ((clock.now() - hours(12)) % days(1)));
    const at = new Date(clock.now() - days(1));
    await replantRows(db(), population, at);
    await plantTokens(
      db(),
      cipher,
      Array.from({ length: population.users }, (_, n) => `token ${n}`),
      at,
    );
    await sql`update platform_status set known_level = 'UP'`.execute(db());
    // All but the last four days were read before.
    for (const { day } of daysToRead('UTC', clock.now()).slice(4))
      await sql`insert into campaign_spend (campaign_id, day, month, read_at)
        select id, ${day}::date, extract(month from ${day}::date), now() from campaigns`.execute(db());
    await planSpendReads(db(), clock.now());
    const { reports, refused, calls } = countedReports();
    const deps = {
      db: db(),
      cipher,
      clock,
      owner: 'me',
      app: OPEN_APP,
      isPlatformDown: () => false,
      log: silentLog,
    };
    const isDone = async () =>
      (await sql`select from account_jobs where due_at < now() + interval '1 hour' limit 1`.execute(db()))
        .rows.length === 0;
    for (let turns = 0; turns < 100 && !(await isDone()); turns++) {
      await readSpend({ ...deps, spendReports: reports });
      clock.advance(minutes(2));
    }
    expect(await isDone()).toBe(true);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from campaign_spend where spend is not null`.execute(db());
    expect(rows).toEqual([{ n: population.users * population.accountsEach * population.campaignsEach * 4 }]);
    expect(refused).toEqual([]);
    expect(calls()).toBeLessThanOrEqual(most);
  });
});
