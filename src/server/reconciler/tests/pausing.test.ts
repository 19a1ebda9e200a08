import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { statusesOf } from '../../../../test/support/product.ts';
import type { Campaign } from '../../../contract/shapes.ts';
import { minutes } from '../../../core/time.ts';

const suite = engineSuite();
const { advertiser, changesOf, edit, eventsOf, holdsOf, later, outage, recovery, statuses } = suite;
const graph = () => suite.simulators.graph;
const campaignsOf = async ({ user, accountId }: Pick<Advertiser, 'user' | 'accountId'>) =>
  (await user.get<{ campaigns: (Campaign & { held: boolean })[] }>(`/api/campaigns/${accountId}`)).campaigns;
const repeated = (status: 'ACTIVE' | 'PAUSED', times: number) => Array.from({ length: times }, () => status);

describe('pausing', () => {
  test('[ENG-04, ENG-05, ENG-06] pauses the ACTIVE campaigns with SmartPause, and resumes exactly those', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'], on: 3 });
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE']);
    await nextMailTo(suite, who.email, /paused 2 campaigns/);
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE']);
    await nextMailTo(suite, who.email, /resumed 2 campaigns/);
    expect(await changesOf(who, 2)).toEqual([]);
    expect((await holdsOf(who.accountId)).map(({ outcome }) => outcome)).toEqual(['resumed', 'resumed']);
    for (const index of [0, 1]) expect(await eventsOf(who, index)).toEqual(['paused', 'resumed']);
    for (const index of [2, 3]) expect(await eventsOf(who, index)).toEqual([]);
  });

  test('[ENG-02] a level below the threshold pauses nothing', async () => {
    const low = await advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const high = await advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH' });
    await suite.report('Medium disruptions', 'MEDIUM_DISRUPTION');
    expect(await statuses(low)).toEqual(['PAUSED']);
    expect(await statuses(high)).toEqual(['ACTIVE']);
  });

  test('[ENG-17] turning SmartPause off during the call undoes the pause that it confirms', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    const goOn = await suite.stopTurnAt({ user: who.userId, method: 'POST' });
    await suite.setSmartPause(who, false);
    await goOn();
    await suite.eventually('the resume', who, async () => (await statuses(who))[0] === 'ACTIVE');
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });

  test('60 campaigns of one account cost exactly one read and two batches', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 60) });
    await graph().ask('DELETE', '/requests');
    await outage();
    expect(await statuses(who)).toEqual(repeated('PAUSED', 60));
    const calls = (await graph().requests()).filter(
      ({ path, batch }) =>
        path.includes(who.accountId) || who.campaignIds.includes(batch?.[0]?.relative_url ?? ''),
    );
    expect(calls.map(({ method, batch }) => [method, batch?.length])).toEqual([
      ['GET', undefined],
      ['POST', 50],
      ['POST', 10],
    ]);
    expect(calls.every(({ secretInQuery }) => !secretInQuery)).toBe(true);
  });

  test('Meta’s development tier: highest budgets first, and no call while blocked', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 30) });
    await graph().post('/limits', { tier: 'development_access' });
    await graph().ask('DELETE', '/requests');
    await outage();
    const first = await statuses(who);
    const paused = first.filter((status) => status === 'PAUSED').length;
    expect(paused).toBeGreaterThan(0);
    expect(paused).toBeLessThan(30);
    expect(first).toEqual([...repeated('ACTIVE', 30 - paused), ...repeated('PAUSED', paused)]);
    for (let minute = 0; minute < 12; minute += 1) await later(minutes(1));
    expect(await statuses(who)).toEqual(repeated('PAUSED', 30));
    const writes = (await graph().requests()).flatMap(({ batch }) => batch ?? []);
    expect(writes.filter(({ relative_url }) => who.campaignIds.includes(relative_url))).toHaveLength(30);
  });

  test('[ENG-12, API-13] turned on in an outage, it pauses; turned off, it only ends the hold', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const resume = `/api/campaigns/${who.campaignIds[0] ?? ''}/resume`;
    await outage();
    await suite.setSmartPause(who, true);
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await who.user.call('POST', resume)).toMatchObject({
      status: 409,
      body: { error: { code: 'SMARTPAUSE_ACTIVE' } },
    });
    await suite.setSmartPause(who, false);
    await suite.turn();
    expect(await suite.reasonsOf(who)).toEqual(['smartpause_off']);
    expect(await statuses(who)).toEqual(['PAUSED']);
    await who.user.post(resume);
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('[ENG-04] a campaign whose pause is in progress is not shown as paused by SmartPause', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId, method: 'POST' };
    await graph().fault({ kind: 'error', code: 2, times: 0, match });
    await outage();
    expect(await holdsOf(who.accountId)).toMatchObject([{ state: 'pausing' }]);
    expect(await suite.writeOf(who)).toMatchObject({ failures: 1 });
    expect(await campaignsOf(who)).toMatchObject([{ status: 'ACTIVE', held: false }]);
  });

  test('[FR-01] an ended campaign is not paused, a scheduled one from its start date on', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
    const now = suite.product.clock.now();
    const [endedAt, startsAt] = [new Date(now), new Date(now + minutes(2))].map((at) => at.toISOString());
    await edit(who, { stop_time: endedAt });
    await edit(who, { start_time: startsAt }, 1);
    await outage();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
    const dueAt = (await suite.workItemOf(who.accountId)).dueAt ?? 0;
    expect(Math.abs(dueAt - Date.parse(startsAt ?? ''))).toBeLessThan(1000);
    const { adAccounts } = await who.user.get<{ adAccounts: object[] }>('/api/ad-accounts');
    expect(adAccounts).toMatchObject([{ protectedCampaigns: 1 }]);
    expect(await campaignsOf(who)).toMatchObject([
      { name: 'Campaign 0', undelivered: { why: 'ended', at: endedAt } },
      { name: 'Campaign 1', undelivered: { why: 'scheduled', at: startsAt } },
      { name: 'Campaign 2' },
    ]);
    const { status } = await who.user.get<{ status: object }>('/api/user/status');
    expect(status).toMatchObject({ heldCampaigns: 1, protectedRunning: 1 });
    expect(status).not.toHaveProperty('notYetPaused');
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED', 'PAUSED']);
  });
});

describe('[UX-09] SmartPause on for new campaigns', () => {
  type User = Pick<Advertiser, 'user' | 'accountId' | 'userId'>;

  const wants = async ({ user }: Pick<User, 'user'>, onForNewCampaigns?: boolean): Promise<boolean> => {
    const settings = {
      resumeSettings: { mode: 'instant' },
      outageThreshold: 'MEDIUM',
      email: 'new@example.com',
    };
    const body = onForNewCampaigns === undefined ? settings : { ...settings, onForNewCampaigns };
    const saved = await user.post<{ status: { onForNewCampaigns: boolean } }>('/api/user/settings', body);
    return saved.status.onForNewCampaigns;
  };

  let created = 0;
  /** Creates a campaign in the advertiser's account, as in Ads Manager. */
  async function create({ userId, accountId }: User, name: string, over: object = {}): Promise<string> {
    const id = `99${userId}${(created += 1)}`;
    const campaign = { id, name, status: 'ACTIVE', daily_budget: '5000', ...over };
    const account = { id: accountId, name: 'An account', currency: 'USD', campaigns: [campaign] };
    await graph().post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [account] }] });
    return id;
  }

  /** The settings by name, as soon as the list has the campaign. */
  async function settingsWith(who: User, awaited: string): Promise<Record<string, string>> {
    await suite.advance(31_000);
    return suite.until(`${awaited} to be listed`, async () => {
      const listed = (await campaignsOf(who)).map(({ name, smartPauseSetting }) => [name, smartPauseSetting]);
      return (
        listed.some(([name]) => name === awaited) && (Object.fromEntries(listed) as Record<string, string>)
      );
    });
  }

  const turnedOnFor = async ({ userId }: Pick<User, 'userId'>) => {
    const { rows } = await sql<{ message: string; campaignId: string | null }>`
      select message, campaign_id from activities join users u on u.id = user_id
      where platform_user_id = ${userId} and event = 'smartpause_on_new'`.execute(suite.product.app.db);
    return rows;
  };

  test('is off by default; then campaigns get it that are new in a known list and can be paused', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 0 });
    await create(who, 'Before');
    const before = { 'Campaign 0': 'OFF', 'Campaign 1': 'OFF', Before: 'OFF' };
    expect(await settingsWith(who, 'Before')).toEqual(before);
    expect(await wants(who, true)).toBe(true);
    // A request without the field leaves the setting as it is.
    expect(await wants(who)).toBe(true);
    const id = await create(who, 'After', { status: 'PAUSED' });
    await create(who, 'Archived', { status: 'ARCHIVED' });
    await create(who, 'Legacy', { smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' });
    const after = { ...before, After: 'ON', Archived: 'OFF', Legacy: 'OFF' };
    expect(await settingsWith(who, 'Legacy')).toEqual(after);
    const message = 'SmartPause was turned on for the new campaign "After".';
    expect(await turnedOnFor(who)).toEqual([{ message, campaignId: id }]);
    expect(Number((await suite.workItemOf(who.accountId)).priority)).toBe(5000);
    // The user's own choice stays.
    await who.user.setSmartPause(who.accountId, id, false);
    await create(who, 'Another');
    expect(await settingsWith(who, 'Another')).toEqual({ ...after, After: 'OFF', Another: 'ON' });
  });

  test('of two users with the account only the one with the setting gets it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const colleague = { ...(await suite.colleagueOf(who)), accountId: who.accountId };
    await wants(colleague, true);
    await create(who, 'Spring');
    await create(who, 'Summer');
    expect(await settingsWith(who, 'Summer')).toMatchObject({ Spring: 'OFF', Summer: 'OFF' });
    expect(await settingsWith(colleague, 'Summer')).toMatchObject({ Spring: 'ON', Summer: 'ON' });
    expect(await turnedOnFor(who)).toEqual([]);
    const message = 'SmartPause was turned on for 2 new campaigns: "Spring", "Summer".';
    expect(await turnedOnFor(colleague)).toEqual([{ message, campaignId: null }]);
  });

  test('needs an active subscription', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(who, true);
    const ended = { currentPeriodEnd: new Date(0) };
    await suite.product.app.db.updateTable('subscriptions').set(ended).execute();
    await create(who, 'Unpaid');
    expect(await settingsWith(who, 'Unpaid')).toMatchObject({ Unpaid: 'OFF' });
  });

  test.each([
    ['at once if the account is read anyway', 1, 0],
    ['within 15 minutes if nothing else reads it', 0, minutes(16)],
  ])('in an outage a new campaign is paused, %s', async (_title, on, ms) => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on });
    await wants(who, true);
    const id = await create(who, 'New');
    await outage();
    expect(await statusesOf(suite.simulators, [id])).toEqual([ms === 0 ? 'PAUSED' : 'ACTIVE']);
    await later(ms);
    await suite.turn();
    expect(await statusesOf(suite.simulators, [id])).toEqual(['PAUSED']);
    expect(await turnedOnFor(who)).toHaveLength(1);
    await recovery();
    expect(await statusesOf(suite.simulators, [id])).toEqual(['ACTIVE']);
  });
});
