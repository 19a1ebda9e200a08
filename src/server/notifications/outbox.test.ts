import { afterEach, describe, expect, test } from 'vitest';
import { allMailTo, nextMailTo } from '../../../test/support/mail.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import { durationLabel } from '#core/labels.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Db } from '../db/database.ts';
import { addNotifications, openNotifications, unknownEvent } from '../db/notifications.ts';
import { readStatus, recordStatus } from '../db/status/status.ts';

const MINUTE = 60_000;

describe('notifications to users', () => {
  const suite = engineSuite();

  // Every reported activity is in exactly one notification.
  afterEach(async () => {
    const reported = await suite.product.app.db
      .selectFrom('activities')
      .select(['event', 'notificationId', 'actor', 'campaignId', 'holdId'])
      .where('holdId', 'is not', null)
      .execute();
    expect(reported).not.toEqual([]);
    for (const act of reported) {
      expect(act.actor).toBe('smartpause');
      expect([act.event, act.notificationId === null]).toEqual([act.event, false]);
    }
    const keys = reported.map(({ holdId, event }) => `${holdId ?? ''} ${event}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  const nextNotification = (who: Advertiser, subject: RegExp) => nextMailTo(suite, who.email, subject);
  const allNotification = (who: Advertiser) => allMailTo(suite, who.email);

  /** Ends the wait for more events: the user's open notifications of these kinds become due. */
  async function makeDue(db: Db, userId: string, kinds: readonly NotificationKind[]): Promise<void> {
    const due = { dueAt: new Date(suite.product.clock.now()) };
    await db
      .updateTable('notifications')
      .set(due)
      .where('userId', '=', userId)
      .where('kind', 'in', kinds)
      .execute();
  }

  const isPaused = async (who: Advertiser, index: number) => (await suite.statuses(who))[index] === 'PAUSED';

  async function advertiser(campaigns: ('ACTIVE' | 'PAUSED')[], resume?: object): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns, ...(resume && { resume }) });
    await suite.report('No known issues', 'UP');
    return who;
  }

  test('[ENG-13] one notification reports a whole pause, one the whole resume: names, reasons, times', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE', 'PAUSED']);
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED', 'PAUSED']);
    const paused = await nextNotification(who, /paused 2 campaigns/);
    expect(paused.subject).toBe('SmartPause paused 2 campaigns: Meta reports high disruptions');
    expect(paused.text).toMatch(/Your threshold is medium.*Paused in An account.*Campaign 1.*Campaign 0/s);
    expect(paused.text).not.toContain('Campaign 2');
    expect(paused.text).toContain('resumes exactly these campaigns immediately');
    suite.product.clock.advance(30 * MINUTE);
    await suite.recovery();
    await suite.become(who, ['ACTIVE', 'ACTIVE', 'PAUSED']);
    const resumed = await nextNotification(who, /resumed 2 campaigns/);
    const outage = await suite.product.app.db
      .selectFrom('outages')
      .select(['startedAt', 'endedAt'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const lastedMs = Number(outage.endedAt) - outage.startedAt;
    expect(resumed.text).toContain(`\nDuration: ${durationLabel(lastedMs)}\n`);
    expect(resumed.text).toContain('Peak: high disruptions');
    expect(await allNotification(who)).toEqual([paused.subject, resumed.subject]);
  });

  test('[ENG-13] unconfirmed pauses are mentioned, and reported once they are confirmed', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE']);
    const [, second = ''] = who.campaignIds;
    const refusal = { kind: 'error', code: 200, campaign: second, method: 'POST', times: 0 };
    await suite.simulators.graph.fault(refusal);
    await suite.outage();
    const early = await nextNotification(who, /paused 1 campaign:/);
    expect(early.text).toContain('1 more campaign is not paused yet');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.eventually('the second pause', who, () => isPaused(who, 1));
    await suite.until('the second notification', async () => {
      const subjects = await allNotification(who);
      return subjects.filter((subject) => subject === early.subject).length === 2;
    });
    await suite.recovery();
    await nextNotification(who, /resumed 2 campaigns/);
  });

  test('[ENG-13] the second notification within an hour waits longer for pauses in progress', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE', 'ACTIVE']);
    const { graph, mailbox } = suite.simulators;
    const [second, third] = await Promise.all(
      who.campaignIds
        .slice(1)
        .map((campaign) => graph.fault({ kind: 'error', code: 2, campaign, method: 'POST', times: 0 })),
    );
    await suite.outage();
    await nextNotification(who, /paused 1 campaign:/);
    await graph.ask('DELETE', `/faults/${second ?? 0}`);
    await suite.eventually('the second pause', who, () => isPaused(who, 1));
    await suite.later(3 * MINUTE);
    expect(await mailbox.messagesTo(who.email)).toHaveLength(1);
    await graph.ask('DELETE', `/faults/${third ?? 0}`);
    await suite.eventually('the third pause', who, () => isPaused(who, 2));
    await nextNotification(who, /paused 2 campaigns:/);
  });

  test('[ENG-13] an external change has its own notification, and the resume says what was not resumed', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE', 'ACTIVE']);
    const [changed = '', off = '', kept = ''] = who.campaignIds;
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED', 'PAUSED']);
    await nextNotification(who, /paused 3 campaigns/);
    await who.user.setSmartPause(who.accountId, off, false);
    await suite.simulators.graph.post(`/campaigns/${changed}`, { status: 'ACTIVE' });
    suite.product.clock.advance(6 * MINUTE);
    await suite.eventually('the hold to be released', who, async () =>
      (await suite.eventsOf(who)).includes('deactivated'),
    );
    const disabled = await nextNotification(who, /disabled for 1 campaign/);
    expect(disabled.text).toContain('resumed outside SmartPause');
    await suite.recovery();
    await suite.become({ campaignIds: [kept] }, ['ACTIVE']);
    const resumed = await nextNotification(who, /resumed 1 campaign, 2 not resumed/);
    expect(resumed.text).toMatch(/Campaign 0: .*resumed outside/);
    expect(resumed.text).toMatch(/Campaign 1: .*SmartPause was turned off/);
  });

  test('[ENG-13] an external change that is noticed just before the resume is reported with it', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE']);
    const [changed = '', kept = ''] = who.campaignIds;
    await suite.outage();
    const paused = await nextNotification(who, /paused 2 campaigns/);
    await suite.simulators.graph.post(`/campaigns/${changed}`, { status: 'ACTIVE' });
    await suite.eventually('the hold to be released', who, async () =>
      (await suite.eventsOf(who)).includes('deactivated'),
    );
    await suite.recovery();
    await suite.become({ campaignIds: [kept] }, ['ACTIVE']);
    await makeDue(suite.product.app.db, (await suite.rowOf(who))?.id ?? '', ['resumed']);
    const resumed = await nextNotification(who, /resumed 1 campaign, 1 not resumed/);
    expect(resumed.text).toContain('SmartPause is now disabled for it');
    expect(await allNotification(who)).toEqual([paused.subject, resumed.subject]);
  });

  test('[ENG-13] a campaign deleted during a pause: the notification says so', async () => {
    const who = await advertiser(['ACTIVE']);
    const [campaign = ''] = who.campaignIds;
    const { graph } = suite.simulators;
    const match = { user: who.userId, method: 'POST' };
    await graph.fault({ kind: 'null_entry_applied', times: 1, match });
    const hanging = await graph.fault({ kind: 'hang_before', times: 1, match });
    await suite.simulators.status.reports('High disruptions');
    await suite.amid('the pause to be on its way', async () => (await graph.parked(hanging)) === 1);
    const blind = await graph.fault({ kind: 'error', code: 2, times: 0, match: { ...match, method: 'GET' } });
    await graph.post(`/faults/${hanging}/release`);
    await suite.become({ campaignIds: [campaign] }, ['PAUSED']);
    await graph.post(`/campaigns/${campaign}`, { status: 'DELETED' });
    await graph.ask('DELETE', `/faults/${blind}`);
    await suite.eventually(
      'the hold to be released',
      who,
      async () => (await suite.lastHold(who))?.state === 'ended',
    );
    await suite.recovery();
    const notification = await nextNotification(who, /did not resume 1/);
    expect(notification.text?.replaceAll(/\s+/g, ' ')).toContain('it no longer exists');
  });

  test('[ENG-10, ENG-13] one notification after an hour of UNKNOWN, only to users whose campaigns stay paused', async () => {
    const { db } = suite.product.app;
    const resume = { mode: 'delay', delay: { value: 1, unit: 'days' } };
    const matched = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const scheduled = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH', resume });
    const off = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const all = [matched, scheduled, off];
    await suite.outage();
    for (const who of all) {
      await suite.become(who, ['PAUSED']);
      await nextNotification(who, /paused 1 campaign/);
    }
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await off.user.setSmartPause(off.accountId, off.campaignIds[0] ?? '', false);
    await suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });
    await suite.known('UNKNOWN');
    suite.product.clock.advance(59 * MINUTE);
    await suite.product.app.runTask('long unknown');
    expect((await allNotification(matched)).at(-1)).toMatch(/paused 1 campaign/);
    for (const minutes of [2, 30]) {
      suite.product.clock.advance(minutes * MINUTE);
      await suite.product.app.runTask('long unknown');
    }
    const unknown = await nextNotification(matched, /^Still paused: Meta's status/);
    expect(unknown.text).toContain('Still paused in An account (1 campaign)');
    const { since } = await readStatus(db);
    // Rendering drops them although they are queued: nothing stays paused, or UNKNOWN began at another time.
    const queue = async (who: Advertiser, event: string) => {
      const id = (await suite.rowOf(who))?.id ?? '';
      await addNotifications(db, { userIds: [id], kind: 'unknown', event }, suite.product.clock.now());
    };
    await queue(scheduled, unknownEvent(since ?? 0));
    await queue(off, unknownEvent(since ?? 0));
    await queue(matched, unknownEvent((since ?? 0) - MINUTE));
    const subjects = await Promise.all(all.map((who) => allNotification(who)));
    const still = subjects.map((own) => own.filter((subject) => subject.startsWith('Still paused')).length);
    expect(still).toEqual([1, 0, 0]);
    await suite.simulators.status.ask('DELETE', '/faults');
    await suite.recovery();
    await suite.become(matched, ['ACTIVE']);
    suite.product.clock.advance(25 * 60 * MINUTE);
    await suite.become(scheduled, ['ACTIVE']);
  });

  test('[ENG-13] a campaign that was paused twice in one outage is listed once, with its last state', async () => {
    const { db } = suite.product.app;
    const { clock } = suite.product;
    const who = await advertiser(['ACTIVE', 'ACTIVE']);
    const userId = (await suite.rowOf(who))?.id ?? '';
    const kinds = ['paused', 'resumed'] as const;
    // The notifications stay open for the whole outage.
    const wanted = kinds.map((kind) => ({ userId, kind }));
    await openNotifications(db, wanted, clock.now() + 24 * 60 * MINUTE);
    const acts = async (event: string, count: number) =>
      suite.until(`${count} acts ${event}`, async () => {
        const found = db.selectFrom('activities').where('userId', '=', userId).where('event', '=', event);
        return (await found.select('id').execute()).length === count;
      });
    await suite.outage();
    await acts('paused', 2);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await acts('resumed', 2);
    await suite.outage();
    await acts('paused', 4);
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', false);
    await suite.until('the hold to end', async () => {
      const held = db.selectFrom('holds').where('userId', '=', userId).where('state', '<>', 'ended');
      return (await held.select('id').execute()).length === 1;
    });
    await makeDue(db, userId, kinds);
    const paused = await nextNotification(who, /SmartPause paused/);
    expect(paused.subject).toBe('SmartPause paused 2 campaigns: Meta reports high disruptions');
    expect(paused.text?.match(/Campaign 0: /g)).toHaveLength(1);
    expect(paused.text).toMatch(/Campaign 1: .*; SmartPause was turned off for it/);
    expect(paused.text).toContain('SmartPause resumes the 1 campaign still paused immediately');
    const resumed = await nextNotification(who, /SmartPause resumed/);
    expect(resumed.subject).toBe('SmartPause resumed 1 campaign, 1 not resumed');
    expect(resumed.text).toMatch(/Campaign 0: .*; paused again since/);
    expect(resumed.text?.match(/Campaign 1: /g)).toHaveLength(1);
    await suite.recovery();
    await suite.become(who, ['ACTIVE', 'PAUSED']);
  });

  test.each(['token', 'account', 'running'] as const)(
    '[ENG-13] an open notification about a pause promises no resume that is unconfirmed: %s',
    async (doubt) => {
      const { db } = suite.product.app;
      const { clock } = suite.product;
      const who = await advertiser(['ACTIVE']);
      const [campaignId = ''] = who.campaignIds;
      const userId = (await suite.rowOf(who))?.id ?? '';
      await openNotifications(db, [{ userId, kind: 'paused' }], clock.now() + 24 * 60 * MINUTE);
      await suite.outage();
      await suite.until('the pause to be in the journal', async () => {
        const paused = db.selectFrom('activities').where('userId', '=', userId).where('event', '=', 'paused');
        return (await paused.select('id').execute()).length === 1;
      });
      // While the account is leased, the reconciler could overwrite the rows that are set below.
      await suite.until('the account to be released', async () => {
        const workItem = db.selectFrom('workItems').where('accountId', '=', who.accountId);
        return (await workItem.where('leasedBy', 'is', null).select('accountId').execute()).length === 1;
      });
      const now = new Date(clock.now());
      await db.transaction().execute(async (tx) => {
        const updates = {
          token: tx.updateTable('platformTokens').set({ rejectedAt: now }).where('userId', '=', userId),
          account: tx.updateTable('adAccounts').set({ lostAt: now }).where('userId', '=', userId),
          running: tx.updateTable('campaigns').set({ status: 'ACTIVE' }).where('id', '=', campaignId),
        };
        await updates[doubt].execute();
        const later = new Date(clock.now() + 24 * 60 * MINUTE);
        await tx
          .updateTable('workItems')
          .set({ dueAt: later })
          .where('accountId', '=', who.accountId)
          .execute();
        await makeDue(tx, userId, ['paused']);
      });
      const { text } = await nextNotification(who, /paused 1 campaign/);
      expect(text).not.toContain('SmartPause resumes');
      expect(text).toContain(
        doubt === 'running' ? 'no longer paused by SmartPause' : 'Meta denies SmartPause access',
      );
      await suite.recovery();
    },
  );

  test('[ENG-13] the duration of an outage is reported, although a lesser disruption has begun since', async () => {
    const who = await advertiser(['ACTIVE'], { mode: 'delay', delay: { value: 10, unit: 'minutes' } });
    await suite.outage();
    await suite.become(who, ['PAUSED']);
    await nextNotification(who, /paused 1 campaign/);
    await suite.recovery();
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    suite.product.clock.advance(11 * MINUTE);
    await suite.become(who, ['ACTIVE']);
    const { text } = await nextNotification(who, /resumed 1 campaign/);
    expect(text).toContain(`See what happened: ${suite.product.url}/activity`);
    expect(text).toContain('Duration: ');
    expect(text).toContain('Peak: high disruptions');
  });

  test('[ENG-13] a pause that Meta confirms after the outage is reported with the level and threshold of its decision', async () => {
    const resumeSettings = { mode: 'delay', delay: { value: 10, unit: 'minutes' } } as const;
    const who = await advertiser(['ACTIVE'], resumeSettings);
    const [only = ''] = who.campaignIds;
    await suite.simulators.graph.fault({ kind: 'applied_but_error', campaign: only, times: 1, code: 2 });
    await suite.simulators.status.reports('High disruptions');
    await suite.become(who, ['PAUSED']);
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, match: { user: who.userId } });
    await suite.recovery();
    await who.user.post('/api/user/settings', { resumeSettings, outageThreshold: 'HIGH', email: who.email });
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.eventually('the confirmation', who, async () =>
      (await suite.eventsOf(who)).includes('paused'),
    );
    const notification = await nextNotification(who, /SmartPause paused 1 campaign/);
    expect(notification.subject).toContain('Meta reports high disruptions');
    expect(notification.text).toContain('Your threshold is medium');
    const act = await suite.product.app.db
      .selectFrom('activities')
      .select('reason')
      .where('event', '=', 'paused')
      .where('campaignId', '=', only)
      .executeTakeFirstOrThrow();
    expect(act.reason).toBe('HIGH_DISRUPTION meets MEDIUM');
  });

  test('[ENG-13] an admin’s override is not reported as Meta’s own status', async () => {
    const who = await advertiser(['ACTIVE']);
    const { db } = suite.product.app;
    await recordStatus(db, { directive: 'FORCE_HIGH' }, suite.product.clock.now(), { staleMs: MINUTE });
    await suite.become(who, ['PAUSED']);
    const notification = await nextNotification(who, /SmartPause paused 1 campaign/);
    expect(notification.subject).toContain('our team reports high disruptions');
    await recordStatus(db, { directive: null }, suite.product.clock.now(), { staleMs: MINUTE });
    await suite.become(who, ['ACTIVE']);
  });

  test('[ENG-13] a resume names no campaign that was not resumed in an earlier outage', async () => {
    const who = await suite.heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    await suite.setSmartPause(who, false);
    await suite.recovery();
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await suite.outage();
    await suite.recovery();
    const { subject, text } = await nextNotification(who, /SmartPause resumed/);
    expect(subject).toBe('SmartPause resumed 1 campaign');
    expect(text).not.toContain('Campaign 0');
  });
});
