import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { outageApi } from '#contract/outage-api.ts';
import { dayOf, localHourOf } from '#core/spend/local-hours.ts';
import { minutes } from '#core/time.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { saveSpend } from '../../db/campaign-spend.ts';

const NAMES = ['<script>alert(1)</script>', '=HYPERLINK("x")'];

describe('[SPEND-04] evidence for a refund claim', () => {
  const suite = engineSuite();
  const db = () => suite.product.app.db;
  const open = (path: string) => suite.product.app.http.inject({ url: path });

  async function hadOutage(who: Advertiser) {
    await suite.outage();
    await suite.become(
      who,
      who.campaignIds.map(() => 'PAUSED'),
    );
    await suite.recovery();
    await suite.become(
      who,
      who.campaignIds.map(() => 'ACTIVE'),
    );
    const { outages } = await who.user.get<ReplyOf<typeof outageApi.outages>>('/api/outages');
    return outages[0] ?? { id: '', startedAt: '' };
  }

  async function advertiser(): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns: NAMES.map(() => 'ACTIVE' as const) });
    await sql`update ad_accounts set time_zone = 'UTC', name = 'Lind & Co' where id = ${who.accountId}`.execute(
      db(),
    );
    return who;
  }

  const linkOf = async ({ user }: Pick<Advertiser, 'user'>, id: string) =>
    (await user.post<ReplyOf<typeof outageApi.linkEvidence>>(`/api/outages/${id}/evidence`)).path;

  test('has the window, Meta’s words, the status page’s answers, all ids, and spend and CPM against usual', async () => {
    const who = await advertiser();
    const { id, startedAt } = await hadOutage(who);
    const hour = localHourOf('UTC', Date.parse(startedAt));
    const [campaign = '', other = ''] = who.campaignIds;
    for (let week = 0; week < 5; week++) {
      const spend = Array.from({ length: 24 }, () => (week === 0 ? 1234 : 1000 * week));
      const impressions = spend.map(() => (week === 0 ? 100 : 500));
      // Of the second one, nothing is known of the outage.
      const campaignIds = week === 0 ? [campaign] : [campaign, other];
      const value = new Map(campaignIds.map((one) => [one, { spend, impressions }]));
      const day = dayOf(hour - week * 7 * 24);
      await saveSpend(db(), { day, readAt: suite.product.clock.now(), campaignIds }, value);
    }

    for (const [n, name] of NAMES.entries())
      await sql`update campaigns set name = ${name} where id = ${who.campaignIds[n]}`.execute(db());

    const { entries } = await who.user.get<ReplyOf<typeof outageApi.campaignHistory>>(
      `/api/campaigns/${campaign}/history`,
    );
    // Its last entry of the outage says it, and no other one.
    expect(entries.map((one) => one.spent ?? null)).toEqual([
      { currency: 'USD', inside: 1234, usual: 2500 },
      ...entries.slice(1).map(() => null),
    ]);

    const page = await open(await linkOf(who, id));
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const time = startedAt.slice(0, 19).replace('T', ' ');
    expect(page.body).toContain(`<tr><td>${time}</td><td>Ads Delivery: High disruptions</td></tr>`);
    for (const words of [who.accountId, 'Lind &amp; Co', ...who.campaignIds])
      expect(page.body).toContain(words);
    expect(page.body).not.toContain('<script');
    expect(page.body).toContain('&lt;script&gt;alert(1)');
    const amountsOf = (id: string) => {
      const [, row = ''] = new RegExp(`<td>${id}</td>(.*)</tr>`).exec(page.body) ?? [];
      return [...row.matchAll(/<td class="num">(.*?)<\/td>/g)].map(([, amount]) => amount);
    };
    expect(amountsOf(campaign)).toEqual(['$12.34', '$25.00', '$123.40', '$50.00']);
    expect(amountsOf(other)).toEqual(['–', '$25.00', '–', '$50.00']);
    expect(page.body).toMatch(/<pre>[^<]*High disruptions/);
    expect(page.body).toMatch(/SHA-256 [0-9a-f]{64}/);

    const csv = await open(/href="([^"]+\.csv)"/.exec(page.body)?.[1] ?? '');
    expect(csv.headers['content-disposition']).toBe(
      `attachment; filename="smartpause-evidence-${startedAt.slice(0, 10)}.csv"`,
    );
    const lines = csv.body.split('\r\n');
    expect(lines).toHaveLength(NAMES.length + 2);
    const line = lines.find((one) => one.includes(campaign));
    expect(line).toContain(`"=""${campaign}""",Lind & Co,${who.accountId},Resumed,${time.slice(0, 10)} `);
    expect(line).toMatch(/,USD,12\.34,25\.00,123\.40,50\.00$/);
    expect(csv.body).toContain(`"'=HYPERLINK(""x"")"`);
  });

  test('its address is for an hour, for this outage, and only for who may see it', async () => {
    const who = await advertiser();
    const { id } = await hadOutage(who);
    const path = await linkOf(who, id);
    const refused = async (other: string) => {
      const reply = await open(other);
      expect([reply.statusCode, reply.body.includes('This page is no longer here')]).toEqual([404, true]);
    };
    await refused(`${path.slice(0, -4)}AAAA`);
    await refused('/evidence/nothing');
    await expect(linkOf(who, String(Number(id) + 1))).rejects.toThrow(/404/);
    expect((await open(`/api/outages/${id}/evidence`)).statusCode).toBe(404);
    await suite.advance(minutes(59));
    expect((await open(path)).statusCode).toBe(200);
    await suite.advance(minutes(2));
    await refused(path);
    await refused(`${path}/campaigns.csv`);
    await suite.outage();
    const { outages } = await who.user.get<ReplyOf<typeof outageApi.outages>>('/api/outages');
    await expect(linkOf(who, outages[0]?.id ?? '')).rejects.toThrow(/404/);
    await suite.recovery();
    await suite.become(
      who,
      who.campaignIds.map(() => 'ACTIVE'),
    );
  });

  test('shows another user’s campaigns to no one, and ends with its user', async () => {
    const who = await advertiser();
    const other = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const { id } = await hadOutage(who);
    const page = await open(await linkOf(other, id));
    expect(page.body).toContain(other.accountId);
    expect(page.body).not.toContain(who.accountId);
    const path = await linkOf(who, id);
    await sql`delete from users where platform_user_id = ${who.userId}`.execute(db());
    expect((await open(path)).statusCode).toBe(404);
  });
});
