import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { AdminAction } from '#contract/admin-overview.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { outageApi } from '#contract/outage-api.ts';
import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { FUSION } from '#core/detection/fusion.ts';
import type { EarlyWarningChoice } from '#core/settings.ts';
import { minutes } from '#core/time.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { saveActing } from '../db/early-warning.ts';
import { setRole } from '../services/admin/roles.ts';

const CALLS = { kinds: ['campaigns', 'writes'], businesses: 7, ofBusinesses: 40 };
const CALLS_COPY =
  /^Since \d+:\d\d [AP]M E[SD]T, reading campaigns and changing campaigns fail for 7 of 40 businesses\./;

describe('early warnings', () => {
  const suite = engineSuite();
  const { later, statuses, holdsOf, activitiesOf } = suite;
  const db = () => suite.product.app.db;
  const now = () => suite.product.clock.now();

  beforeEach(async () => {
    await sql`delete from signals`.execute(db());
    await sql`delete from account_jobs where kind = 'delivery'`.execute(db());
    // No minute is tested: each test says itself what the sources find.
    await sql`update detection set acting_since = null, minute = '2100-01-01'`.execute(db());
  });

  /** What follows, in an order that a turn does not promise. A notification waits some seconds. */
  async function settle(): Promise<void> {
    const { app } = suite.product;
    await app.runTask('detecting outages');
    await app.runTask('reporting early warnings');
    await later(minutes(1));
    await suite.advance(minutes(1));
    await app.runTask('outbox');
  }

  /** What a source has found for so long that it pauses with the other one. */
  const says = (source: 'calls' | 'delivery', evidence: object) => {
    const since = now() - FUSION.bothForMs;
    return db()
      .insertInto('signals')
      .values({
        ...{ source, scope: 'everyone', state: 'SUSPECTED', since: new Date(since) },
        evidence: JSON.stringify({ since, ...evidence }),
      })
      .execute();
  };
  const callsFail = () => says('calls', CALLS);
  /** One look is too few to end it. */
  async function deliveryIsLow(): Promise<void> {
    await says('delivery', { direction: 'low', accounts: 9, ofAccounts: 20, businesses: 6 });
    const vote = { at: Date.UTC(2100, 0), from: now(), direction: 'usual' };
    await sql`insert into account_jobs (account_id, kind, progress)
      select max(id), 'delivery', ${JSON.stringify({ failures: 0, vote })} from ad_accounts`.execute(db());
  }
  const clears = (source: 'calls' | 'delivery') =>
    db()
      .updateTable('signals')
      .set({ until: new Date(now()) })
      .where('source', '=', source)
      .where('until', 'is', null)
      .execute();

  async function chooser(earlyWarning: EarlyWarningChoice, resume = { mode: 'instant' } as object) {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 2, renews: true });
    const { status } = await who.user.get<{ status: UserStatus }>('/api/user/status');
    const { email, outageThreshold } = status;
    await who.user.call('POST', '/api/user/settings', {
      ...{ email, outageThreshold, resumeSettings: resume, earlyWarning, onForNewCampaigns: true },
    });
    await suite.known('UP');
    await suite.turn();
    return who;
  }

  /** By failing calls and low delivery, for so long that it pauses where it acts. */
  async function warns(): Promise<void> {
    await callsFail();
    await deliveryIsLow();
    await settle();
  }

  /** By an early warning. */
  async function pausedAdvertiser(): Promise<Advertiser> {
    const who = await chooser('pause');
    await saveActing(db(), now());
    await warns();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    return who;
  }

  async function admin() {
    const who = await suite.advertiser({ campaigns: [] });
    await setRole(
      { db: db(), clock: suite.product.clock },
      { platformUserId: who.userId, role: 'administrators', act: 'grant' },
    );
    const press = (path: string, body: object) => who.user.call('POST', `/api/admin/${path}`, body);
    return {
      ...who,
      act: (acts: boolean) => press('early-warning', { acts }),
      force: (action: AdminAction) => press(action, { reason: 'a test of the override' }),
    };
  }

  const statusOf = async (who: Advertiser) =>
    (await who.user.get<{ status: UserStatus }>('/api/user/status')).status;
  const subjectsOf = async ({ userId }: Advertiser) => {
    const { rows } = await sql<{ subject: string }>`
      select subject from notifications n join users u on u.id = n.user_id
      where platform_user_id = ${userId} order by n.id`.execute(db());
    return rows.map(({ subject }) => subject);
  };
  const warnings = async () => {
    const rows = db().selectFrom('signals').select(['state', 'acts', 'until', 'evidence']);
    return await rows.where('source', '=', 'early_warning').orderBy('id').execute();
  };

  test('[EARLY-03, EARLY-04] in shadow mode they are recorded, and nothing is done for anyone', async () => {
    const who = await chooser('pause');
    const operator = await admin();
    // The first list is read.
    await later(minutes(1));
    await warns();
    expect(await warnings()).toMatchObject([
      {
        state: 'PROBABLE',
        acts: false,
        until: null,
        evidence: { probability: expect.closeTo(0.99, 1) as number },
      },
    ]);
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await who.user.get<PlatformStatus>('/api/status')).not.toHaveProperty('warning');
    expect(await subjectsOf(who)).toEqual([]);
    expect(await statusOf(who)).toMatchObject({ earlyWarning: 'pause', earlyWarningsAct: false });
    expect(await operator.user.get('/api/admin/early-warning')).toMatchObject({
      ...{ actingSince: null, chosen: { pause: 1, notify: 0 } },
      recorded: { suspicions: 1, pauses: 1 },
      states: [{ source: 'early_warning', state: 'PROBABLE', acts: false }, {}, {}],
    });
  });

  test('[EARLY-04, EARLY-06] two kinds of evidence pause for those who chose it, and the end resumes by their rule', async () => {
    const [who, asNotified, official] = [
      await chooser('pause', { mode: 'delay', delay: { value: 30, unit: 'minutes' } }),
      await chooser('notify'),
      await chooser('official'),
    ];
    const operator = await admin();
    expect(await operator.act(true)).toMatchObject({ status: 200 });
    await callsFail();
    await settle();
    // Failing calls alone never pause.
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect((await who.user.get<PlatformStatus>('/api/status')).warning).toMatchObject({
      ...{ pauses: false, evidence: expect.stringMatching(CALLS_COPY) as string },
    });
    for (const one of [who, asNotified])
      expect(await subjectsOf(one)).toEqual([
        expect.stringMatching(/^Early warning: an outage of Meta is suspected since /) as string,
      ]);
    expect(await subjectsOf(official)).toEqual([]);
    await deliveryIsLow();
    await settle();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect(await statuses(asNotified)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await statuses(official)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await holdsOf(who.accountId)).toMatchObject([
      { cause: 'early_warning' },
      { cause: 'early_warning' },
    ]);
    expect(await statusOf(who)).toMatchObject({
      ...{ earlyWarning: 'pause', earlyWarningsAct: true, pausedEarly: 2, resumeAt: null },
    });
    const [first] = await suite.campaignsOf(who);
    expect(first).toMatchObject({ held: true, isPausedEarly: true });
    expect((await subjectsOf(who)).at(-1)).toBe('SmartPause paused 2 campaigns: early warning of an outage');
    const why = await who.user.get<{ entries: { message: string; reason: string | null }[] }>(
      `/api/campaigns/${who.campaignIds[0] ?? ''}/history`,
    );
    expect(why.entries.find(({ message }) => message.startsWith('Paused'))?.reason).toMatch(
      /^An early warning of an outage, which you let pause campaigns\. Since .* 7 of 40 businesses\./,
    );
    await clears('calls');
    await clears('delivery');
    await settle();
    expect(await warnings()).toMatchObject([{ state: 'SUSPECTED' }, { state: 'PROBABLE', acts: true }]);
    expect((await warnings()).every(({ until }) => until !== null)).toBe(true);
    const { resumeAt } = await statusOf(who);
    expect(Date.parse(resumeAt ?? '') - now()).toBeGreaterThan(minutes(5));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    await suite.eventually('the resume', who, async () => (await statuses(who))[0] === 'ACTIVE');
    expect(now()).toBeGreaterThanOrEqual(Date.parse(resumeAt ?? ''));
    expect((await activitiesOf(who)).map(({ message }) => message)).toEqual([
      'Paused "Campaign 0": an early warning of an outage, which you let pause campaigns.',
      'Resumed "Campaign 0": the early warning no longer pauses campaigns.',
    ]);
    expect(await subjectsOf(asNotified)).toContain('The early warning is over');
  });

  test('once Meta’s page reports it, the outage keeps them paused', async () => {
    const who = await pausedAdvertiser();
    await later(minutes(12));
    await suite.outage();
    expect(await holdsOf(who.accountId)).toMatchObject([{ cause: 'status' }, { cause: 'status' }]);
    await clears('calls');
    await clears('delivery');
    await later(minutes(5));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect((await subjectsOf(who)).slice(-1)).toEqual([
      'SmartPause keeps 2 campaigns paused: Meta reports high disruptions',
    ]);
    await suite.recovery();
    await suite.turn();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect((await activitiesOf(who)).map(({ message }) => message)).toEqual([
      'Paused "Campaign 0": an early warning of an outage, which you let pause campaigns.',
      'Kept "Campaign 0" paused: high disruptions, your threshold is medium.',
      'Resumed "Campaign 0": the outage is over.',
    ]);
  });

  test('an admin ends what they do, and so does another choice of the user', async () => {
    const [who, other] = [await chooser('pause'), await chooser('pause')];
    const operator = await admin();
    await operator.act(true);
    await warns();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    const { email, outageThreshold, resumeSettings } = await statusOf(other);
    const body = { email, outageThreshold, resumeSettings, earlyWarning: 'official' };
    await other.user.call('POST', '/api/user/settings', body);
    await suite.turn();
    expect(await statuses(other)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    await operator.act(false);
    await suite.turn();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await warnings()).toMatchObject([{ acts: true }, { acts: false, until: null }]);
    expect(await other.user.call('POST', '/api/admin/early-warning', { acts: true })).toMatchObject({
      status: 403,
    });
  });

  test.each<[string, AdminAction, boolean]>([
    ['did not report, also while an admin had set a high level', 'force-high', false],
    ['reported, also while an admin had set UP', 'force-up', true],
  ])('its end says what Meta’s page %s', async (_name, action, isReported) => {
    const who = await chooser('notify');
    const operator = await admin();
    await operator.act(true);
    await callsFail();
    await settle();
    expect(await operator.force(action)).toMatchObject({ status: 200 });
    if (isReported) await suite.reportOnce('High disruptions');
    await settle();
    await clears('calls');
    if (!isReported) await operator.force('clear');
    await settle();
    await operator.force('clear');
    await suite.recovery();
    const { rows } = await sql<{ facts: object }>`
      select facts from activities a join users u on u.id = a.user_id
      where platform_user_id = ${who.userId} and event = 'early_warning_over'`.execute(db());
    expect(rows).toMatchObject([{ facts: { isReported } }]);
  });

  test('one that was only recorded, and lasts on low delivery alone, pauses nothing once an admin lets it act', async () => {
    const who = await chooser('pause');
    const operator = await admin();
    await warns();
    await clears('calls');
    await settle();
    expect(await warnings()).toMatchObject([{ state: 'PROBABLE', acts: false, until: null }]);
    await operator.act(true);
    await settle();
    expect((await warnings()).map(({ until }) => until !== null)).toEqual([true]);
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('what was resumed with ‘Resume now’ is not paused again in the same warning', async () => {
    const who = await pausedAdvertiser();
    const [first = ''] = who.campaignIds;
    await who.user.call('POST', '/api/campaign-changes', { action: 'resume_now', campaignIds: [first] });
    await suite.turn();
    await later(minutes(30));
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
  });

  test('[HIST-03] an outage of a colleague alone says that another user had paused their campaigns', async () => {
    const who = await chooser('pause');
    const { user } = await suite.colleagueOf(who);
    const { status } = await user.get<{ status: UserStatus }>('/api/user/status');
    const { email, resumeSettings } = status;
    await user.call('POST', '/api/user/settings', { email, resumeSettings, outageThreshold: 'LOW' });
    await saveActing(db(), now());
    await warns();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    expect(await holdsOf(who.accountId)).toMatchObject([
      { cause: 'early_warning' },
      { cause: 'early_warning' },
    ]);
    const { outages } = await user.get<ReplyOf<typeof outageApi.outages>>('/api/outages');
    const { campaigns } = await user.get<ReplyOf<typeof outageApi.outage>>(
      `/api/outages/${outages[0]?.id ?? ''}`,
    );
    expect(campaigns.map(({ reason }) => reason)).toEqual(['held_by_other_user', 'held_by_other_user']);
  });
});
