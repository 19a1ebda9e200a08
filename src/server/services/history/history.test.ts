import { describe, expect, test } from 'vitest';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { HistoryEntry, outageApi } from '#contract/outage-api.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { recordStatus } from '../../status/record-status.ts';

type OutagePage = ReplyOf<typeof outageApi.outages>;
type CampaignPage = ReplyOf<typeof outageApi.outage>;
type HistoryPage = ReplyOf<typeof outageApi.campaignHistory>;

describe('the history', () => {
  const suite = engineSuite();
  const { report, advertiser, become, holdsOf } = suite;
  const outagesOf = (who: Pick<Advertiser, 'user'>) => who.user.get<OutagePage>('/api/outages');
  const outageOf = (who: Pick<Advertiser, 'user'>, id: string, query = '') =>
    who.user.get<CampaignPage>(`/api/outages/${id}${query}`);
  /** The newest outage, with its first page of campaigns. */
  const lastOf = async (who: Pick<Advertiser, 'user'>) => {
    const [outage] = (await outagesOf(who)).outages;
    return { outage, campaigns: (await outageOf(who, outage?.id ?? '')).campaigns };
  };
  const historyOf = (who: Pick<Advertiser, 'user'>, campaignId: string, query = '') =>
    who.user.get<HistoryPage>(`/api/campaigns/${campaignId}/history${query}`);
  /** Reads all pages; `read` returns the next cursor. */
  const readPages = async (read: (query: string) => Promise<string | null>) => {
    for (let next = await read(''); next !== null;) next = await read(`?cursor=${next}`);
  };
  const recorded = () =>
    suite.until('the outage to be recorded', async () => {
      await suite.product.app.runTask('recording outages');
      const open = suite.product.app.db.selectFrom('outages').select('id').where('recordedAt', 'is', null);
      return (await open.execute()).length === 0;
    });
  const over = async (who: Advertiser, statuses: string[]) => {
    await suite.recovery();
    await become(who, statuses);
    await suite.until('the holds to end', async () =>
      (await holdsOf(who.accountId)).every(({ state }) => state === 'ended'),
    );
    await recorded();
  };

  test('[HIST-01, HIST-02, HIST-03, HIST-04] an outage, its campaigns and each campaign’s entries', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'PAUSED', 'ACTIVE'], on: 2 });
    const [on = '', paused = '', off = ''] = who.campaignIds;
    await suite.outage();
    await become(who, ['PAUSED', 'PAUSED', 'ACTIVE']);
    const open = (await outagesOf(who)).outages[0];
    expect(open).toMatchObject({ endedAt: null, peak: 'HIGH_DISRUPTION', reason: null });
    expect(open?.counts).toMatchObject({ paused: 1, resumed: 0, stillPaused: 1, notPaused: 2 });

    await over(who, ['ACTIVE', 'PAUSED', 'ACTIVE']);
    const [outage] = (await outagesOf(who)).outages;
    if (outage === undefined) throw new Error('no outage');
    expect(outage.counts).toMatchObject({ paused: 1, resumed: 1, stillPaused: 0, notPaused: 2 });
    expect(outage).toMatchObject({
      ...{ id: open?.id, startedAt: outage.matchedAt, threshold: 'MEDIUM', components: ['Ads Delivery'] },
      quotes: ['High disruptions'],
    });
    expect(outage.lastPauseAfterMs).toBeGreaterThanOrEqual(0);

    const { outage: one, campaigns, next } = await outageOf(who, outage.id);
    expect(next).toBeNull();
    expect(one.levels.map(({ level }) => level)).toEqual(['HIGH_DISRUPTION', 'UP']);
    expect(one.accounts.map(({ id }) => id)).toEqual([who.accountId]);
    expect(campaigns.map(({ campaignId, result, reason }) => [campaignId, result, reason])).toEqual([
      [on, 'resumed', null],
      [off, 'not_paused', 'smartpause_off'],
      [paused, 'not_paused', 'already_paused'],
    ]);
    const [first] = campaigns;
    const times = [first?.decidedAt, first?.sentAt, first?.pausedAt, first?.resumeSentAt, first?.resumedAt];
    expect(times.map((at) => typeof at)).toEqual(times.map(() => 'string'));
    expect(times.toSorted()).toEqual(times);

    const { entries } = await historyOf(who, on);
    expect(entries.map(({ kind, outageId }) => [kind, outageId])).toEqual([
      ['resumed', outage.id],
      ['paused', outage.id],
      ['setting', null],
    ]);
    expect(entries.map(({ actor }) => actor)).toEqual(['smartpause', 'smartpause', 'user']);
    expect(entries[2]?.user).not.toBeNull();
    expect(entries[1]?.message).toBe('Paused this campaign.');
    expect(entries[1]?.reason).toBe('High disruptions, your threshold is medium.');
  });

  test('[HIST-03] a campaign that Meta lets us read only after the outage, and one that an earlier outage paused', async () => {
    const { graph } = suite.simulators;
    const late = await advertiser({ campaigns: ['ACTIVE'] });
    const kept = await advertiser({ campaigns: ['ACTIVE'], resume: { mode: 'next_day' } });
    const fault = await graph.fault({ kind: 'error', code: 2, times: 0, match: { user: late.userId } });
    await suite.outage();
    await become(kept, ['PAUSED']);
    await suite.recovery();
    await recorded();
    await graph.ask('DELETE', `/faults/${fault}`);
    await suite.outage();
    await become(late, ['PAUSED']);
    await suite.recovery();
    await recorded();
    const reasonsOf = async (who: Advertiser) => {
      const { outages } = await outagesOf(who);
      const pages = await Promise.all(outages.slice(0, 2).map(({ id }) => outageOf(who, id)));
      return pages.map(({ campaigns: [one] }) => one?.reason);
    };
    expect(await reasonsOf(late)).toEqual([null, 'not_in_time']);
    expect(await reasonsOf(kept)).toEqual(['held_before', null]);
    const counts = (await outagesOf(kept)).outages.slice(0, 2).map((one) => one.counts.heldBefore);
    expect(counts).toEqual([1, 0]);
  });

  test('[HIST-02] a hold without a pause says why it ended, or nothing while its pause is on the way', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'], on: 0 });
    await suite.outage();
    const at = new Date(suite.product.clock.now());
    const userId = (await suite.rowOf(who))?.id ?? '';
    const ends = [
      { state: 'pausing' },
      { state: 'ended', outcome: 'released', releaseReason: 'smartpause_off', endedAt: at },
      { state: 'ended', outcome: 'not_needed', endedAt: at },
    ] as const;
    const holds = ends.map((end, index) => {
      const campaignId = who.campaignIds[index] ?? '';
      const about = { threshold: 'LOW', level: 'LOW_DISRUPTION', decidedAt: at, readAt: at } as const;
      return { userId, accountId: who.accountId, campaignId, ...about, ...end };
    });
    for (const hold of holds) await suite.product.app.db.insertInto('holds').values(hold).execute();
    const { campaigns } = await lastOf(who);
    expect(campaigns.map(({ reason }) => reason)).toEqual([null, 'smartpause_off', 'not_needed']);
  });

  test('[HIST-01, HIST-02] ‘Resume now’ is a resume, and protection that began later counts from then', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    const [twice = '', late = ''] = who.campaignIds;
    const own = async () => {
      const { outage, campaigns } = await lastOf(who);
      return { outage, campaigns: campaigns.filter(({ result }) => result !== 'not_paused') };
    };
    await suite.outage();
    await suite.setSmartPause(who, false);
    await suite.turn();
    expect((await own()).campaigns).toMatchObject([{ result: 'kept_paused', resumedAt: null }]);
    await who.user.post(`/api/campaigns/${twice}/resume`);
    const resumed = await own();
    expect(resumed.outage?.counts).toMatchObject({ paused: 1, resumed: 0, resumedByUser: 1, keptPaused: 0 });
    expect(resumed.campaigns).toMatchObject([{ result: 'resumed_by_user', reason: 'smartpause_off' }]);
    expect(resumed.campaigns[0]?.resumedAt).not.toBeNull();
    expect(resumed.outage?.lastPauseAfterMs).toBeGreaterThan(0);

    suite.product.clock.advance(240_000);
    await suite.known('HIGH_DISRUPTION');
    for (const id of [twice, late]) await who.user.setSmartPause(who.accountId, id, true);
    await become(who, ['PAUSED', 'PAUSED']);
    await suite.recovery();
    await become(who, ['ACTIVE', 'ACTIVE']);
    const { outage, campaigns } = await own();
    expect(outage?.counts).toMatchObject({ paused: 2, resumed: 2, keptPaused: 0 });
    expect(outage?.lastPauseAfterMs).toBeLessThan(120_000);
    expect(campaigns.map(({ result, reason }) => [result, reason])).toEqual([
      ['resumed', null],
      ['resumed', null],
    ]);
    expect((await outageOf(who, outage?.id ?? '', '?result=kept_paused')).campaigns).toEqual([]);
  });

  test('[HIST-01] an outage that an admin set says so, and quotes no words of Meta', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const { app, clock } = suite.product;
    const set = (directive: 'FORCE_HIGH' | null) =>
      recordStatus(app.db, { directive }, clock.now(), { staleMs: 60_000 });
    await set('FORCE_HIGH');
    await suite.simulators.status.reports('Medium disruptions');
    await suite.until('Meta’s level to be read', async () => {
      await suite.advance(11_000);
      const status = suite.product.app.db.selectFrom('platformStatus').select('trueLevel');
      return (await status.executeTakeFirstOrThrow()).trueLevel === 'MEDIUM_DISRUPTION';
    });
    const forced = { isOverridden: true, components: [], quotes: [], peak: 'HIGH_DISRUPTION' };
    expect((await outagesOf(who)).outages[0]).toMatchObject(forced);
    await set(null);
    expect((await outagesOf(who)).outages[0]).toMatchObject({
      ...forced,
      quotes: ['Medium disruptions'],
      components: ['Ads Delivery'],
    });
    await suite.recovery();
    await report('High disruptions', 'HIGH_DISRUPTION');
    expect((await outagesOf(who)).outages[0]).toMatchObject({
      isOverridden: false,
      quotes: ['High disruptions'],
    });
    await suite.recovery();
  });

  test('[HIST-01, HIST-03] below the threshold nothing is paused, with one reason for all', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('Low disruptions', 'LOW_DISRUPTION');
    await suite.recovery();
    await recorded();
    const [outage] = (await outagesOf(who)).outages;
    expect(outage).toMatchObject({
      ...{ threshold: 'MEDIUM', reason: 'below_threshold', matchedAt: null, lastPauseAfterMs: null },
    });
    expect((await outageOf(who, outage?.id ?? '')).campaigns).toEqual([]);
  });

  test('[HIST-03] a pause that is being sent when the outage ends is not also recorded as not paused', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    const goOn = await suite.stopTurnAt({ user: who.userId, method: 'POST' });
    const { db } = suite.product.app;
    await recordStatus(db, { directive: 'FORCE_UP' }, suite.product.clock.now(), { staleMs: 60_000 });
    await suite.product.app.runTask('recording outages');
    await goOn();
    await over(who, ['ACTIVE']);
    const [outage] = (await outagesOf(who)).outages;
    expect(outage?.counts).toMatchObject({ paused: 1, notPaused: 0 });
    await recordStatus(db, { directive: null }, suite.product.clock.now(), { staleMs: 60_000 });
  });

  test('[HIST-02, HIST-03] a pause that Meta refused', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind: 'error', code: 200, times: 0, match });
    await suite.outage();
    await suite.until('the refusal', async () =>
      (await holdsOf(who.accountId)).some(({ failureKind }) => failureKind === 'permission'),
    );
    const { outage, campaigns } = await lastOf(who);
    const detail = '(#200) Ad account owner has NOT grant ads_management or ads_read permission';
    expect(campaigns).toMatchObject([{ result: 'not_paused', reason: 'refused', detail, pausedAt: null }]);
    expect(outage?.counts).toMatchObject({ paused: 0, notPaused: 1, keptRunning: 1, keptRefused: 1 });
    expect((await historyOf(who, who.campaignIds[0] ?? '')).entries[0]).toMatchObject({
      ...{ kind: 'refused', outageId: outage?.id },
      reason: expect.stringMatching(/permission\. SmartPause tries again after 1 minute/) as string,
    });
  });

  test('[HIST-01, HIST-03] a subscription that ends in the outage does not explain its earlier pauses', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    const [, off = ''] = who.campaignIds;
    await suite.outage();
    await become(who, ['PAUSED', 'ACTIVE']);
    await suite.product.app.db
      .updateTable('subscriptions')
      .set({ accessUntil: new Date(suite.product.clock.now() - 1000) })
      .where('userId', '=', (await suite.rowOf(who))?.id ?? '')
      .execute();
    await over(who, ['ACTIVE', 'ACTIVE']);
    const [outage] = (await outagesOf(who)).outages;
    expect(outage).toMatchObject({ threshold: 'MEDIUM', reason: null, matchedAt: outage?.startedAt });
    expect(outage?.counts).toMatchObject({ paused: 1, notPaused: 1 });
    expect((await historyOf(who, off)).entries).toMatchObject([{ reason: 'SmartPause was off for it.' }]);
  });

  test('[HIST-01, HIST-03] another user of the ad account learns only that a pause covered the campaign', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await suite.colleagueOf(who);
    await suite.outage();
    await become(who, ['PAUSED']);
    for (const moment of ['open', 'recorded']) {
      if (moment === 'recorded') await over(who, ['ACTIVE']);
      const { outage, campaigns } = await lastOf(colleague);
      const { entries } = await historyOf(colleague, who.campaignIds[0] ?? '');
      const list = await colleague.user.get(`/api/campaigns/${who.accountId}`);
      const isPaused = moment === 'open';
      expect(list).toMatchObject({ campaigns: [{ held: false, ...(isPaused && { heldByOther: true }) }] });
      expect(outage?.counts).toMatchObject({ paused: 0, notPaused: 1 });
      expect(campaigns).toMatchObject([
        { result: 'not_paused', reason: 'held_by_other_user', decidedAt: null, pausedAt: null },
      ]);
      expect(entries).toMatchObject([
        { kind: 'not_paused', user: null, reason: 'Another user of SmartPause had paused it.' },
      ]);
    }
  });

  test('[HIST-02] the campaigns of an outage are in the order of their names, those that kept spending before those that did not run, and found by result, name and id', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED'], on: 2 });
    const [first = '', kept = '', third = '', fourth = ''] = who.campaignIds;
    const names = { [first]: 'Box 14, 50%', [kept]: 'box 4', [third]: 'Cap', [fourth]: 'boots' };
    for (const [id, name] of Object.entries(names))
      await suite.simulators.graph.post(`/campaigns/${id}`, { name });
    await suite.outage();
    await become(who, ['PAUSED', 'PAUSED', 'ACTIVE', 'PAUSED']);
    await who.user.setSmartPause(who.accountId, kept, false);
    await suite.until('the hold to end', async () =>
      (await holdsOf(who.accountId)).some(({ state }) => state === 'ended'),
    );
    const id = (await outagesOf(who)).outages[0]?.id ?? '';
    const found = async (query: string) =>
      (await outageOf(who, id, query)).campaigns.map(({ campaignId }) => names[campaignId]);
    const WANTED: [query: string, names: string[]][] = [
      ['', ['box 4', 'Box 14, 50%', 'Cap', 'boots']],
      ['?result=kept_paused', ['box 4']],
      ['?result=paused', ['Box 14, 50%']],
      ['?result=not_paused', ['Cap', 'boots']],
      ['?search=BOX', ['box 4', 'Box 14, 50%']],
      ['?search=0%25', ['Box 14, 50%']],
      [`?search=${kept.slice(1)}`, ['box 4']],
      [`?search=4 (${kept.slice(0, 4)}`, ['box 4']],
      [`?search=${kept.slice(0, 4)}`, []],
      [`?search=${third}&result=resumed`, []],
    ];
    for (const [query, wanted] of WANTED) expect([query, await found(query)]).toEqual([query, wanted]);
  });

  test('[HIST-04] the pages of outages and campaigns have no gap and no double while rows are added', async () => {
    const statuses = Array.from({ length: 110 }, (_, n) => (n % 2 === 0 ? 'ACTIVE' : 'PAUSED'));
    const who = await advertiser({ campaigns: statuses, on: 0 });
    const { db } = suite.product.app;
    const userId = (await suite.rowOf(who))?.id ?? '';
    const addOutage = async (hoursAgo: number) => {
      const at = new Date(suite.product.clock.now() - hoursAgo * 3_600_000);
      const times = { startedAt: at, endedAt: at, recordedAt: at };
      await db
        .insertInto('outages')
        .values({ ...times, peak: 'LOW_DISRUPTION', levels: '[]' })
        .execute();
    };
    // The first is older than any outage that is shown.
    await addOutage(401 * 24);
    for (let n = 0; n < 45; n += 1) await addOutage(400 - n);
    const long = { createdAt: new Date(0), initializedAt: new Date(0) };
    await db.updateTable('users').set(long).where('id', '=', userId).execute();
    const seen: string[] = [];
    await readPages(async (query) => {
      const { outages, next } = await who.user.get<OutagePage>(`/api/outages${query}`);
      seen.push(...outages.map(({ id }) => id));
      await addOutage(0);
      return next;
    });
    expect(new Set(seen).size).toBe(seen.length);
    const old = await db.selectFrom('outages').select('id').orderBy('startedAt').executeTakeFirst();
    expect(seen).not.toContain(old?.id);
    expect((await who.user.call('GET', `/api/outages/${old?.id ?? ''}`)).status).toBe(404);
    expect(seen.length).toBeGreaterThanOrEqual(45);

    await suite.outage();
    await suite.recovery();
    await recorded();
    const [outage] = (await outagesOf(who)).outages;
    const campaigns: string[] = [];
    await readPages(async (query) => {
      const page = await outageOf(who, outage?.id ?? '', query);
      campaigns.push(...page.campaigns.map(({ campaignId }) => campaignId));
      return page.next;
    });
    expect(campaigns.toSorted()).toEqual([...who.campaignIds].sort());
    const all = await outageOf(who, outage?.id ?? '', `?adAccountId=${who.accountId}`);
    expect([all.campaigns.length, all.outage.counts.notPaused]).toEqual([100, 110]);
  });

  test('[HIST-04] the entries of a campaign have no gap and no double while some are added', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const [campaignId = ''] = who.campaignIds;
    const userId = (await suite.rowOf(who))?.id ?? '';
    const now = suite.product.clock.now();
    const add = async (count: number, at: (n: number) => number) => {
      const campaigns = JSON.stringify({ [campaignId]: { name: 'Shoes' } });
      const about = { userId, accountId: who.accountId, campaigns, message: '', event: 'released' };
      const rows = Array.from({ length: count }, (_, n) => ({
        ...({ ...about, actor: 'smartpause' } as const),
        facts: JSON.stringify({
          reason: n % 2 === 0 ? 'paused_outside' : 'resumed_outside',
          ...{ refusal: null, outside: null, wasPaused: true },
        }),
        createdAt: new Date(at(n)),
      }));
      await suite.product.app.db.insertInto('activities').values(rows).execute();
    };
    // Ten at a time share a millisecond, so pages end within one.
    await add(123, (n) => now - 60_000 - Math.floor(n / 10));
    const seen: HistoryEntry[] = [];
    await readPages(async (query) => {
      const { entries, next } = await historyOf(who, campaignId, query);
      seen.push(...entries);
      await add(3, () => now - 30_000);
      return next;
    });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(123);
    const times = seen.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times).toHaveLength(123);
    expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['kept_paused', 'resumed_outside']));
  });

  test('[HIST-04] an unknown outage is not found, and a bad cursor is refused', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const status = async (path: string) => (await who.user.call('GET', path)).status;
    expect(await status('/api/outages/999999')).toBe(404);
    expect(await status('/api/outages?cursor=x')).toBe(400);
    expect(await status('/api/outages/1?cursor=n')).toBe(400);
    expect(await status('/api/outages/1?result=gone')).toBe(400);
    expect(await status(`/api/campaigns/${who.campaignIds[0] ?? ''}/history?cursor=1`)).toBe(400);
  });
});
