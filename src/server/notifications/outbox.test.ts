import { beforeEach, describe, expect, test } from 'vitest';
import { allMailTo, nextMailTo } from '../../../test/support/mail.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { waitForStatuses } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { MailKind } from '#core/mails.ts';
import type { Db } from '../db/database.ts';
import { addMails, openMails, unknownEvent } from '../db/mails.ts';
import { readStatus, recordStatus } from '../db/status/status.ts';

const MINUTE = 60_000;

describe('what people are written', () => {
  const suite = startSuite();

  beforeEach(async () => {
    await suite.simulators.mailbox.ask('DELETE', '/faults');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.simulators.status.post('/reset');
  });

  const nextMail = (who: Advertiser, subject: RegExp) => nextMailTo(suite, who.email, subject);
  const allMail = (who: Advertiser) => allMailTo(suite, who.email);

  /** Ends the wait for more events: the user's open emails of these kinds are sent. */
  async function makeDue(db: Db, personId: string, kinds: readonly MailKind[]): Promise<void> {
    const due = { due_at: new Date(suite.product.clock.now()) };
    await db
      .updateTable('mail')
      .set(due)
      .where('person_id', '=', personId)
      .where('kind', 'in', kinds)
      .execute();
  }

  async function report(phrase: string, level: string, who: Advertiser): Promise<void> {
    await suite.simulators.status.reports(phrase);
    await waitFor(`the level ${level}`, async () => {
      const { status } = await who.person.get<{ status: string }>('/api/status');
      return status === level;
    });
  }

  async function advertiser(campaigns: ('ACTIVE' | 'PAUSED')[], resume?: object): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns, ...(resume && { resume }) });
    await report('No known issues', 'UP', who);
    return who;
  }

  test('[ENG-13] one mail tells of a whole pause, one of the whole resume: names, reasons, times', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE', 'PAUSED']);
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED', 'PAUSED', 'PAUSED']);
    const paused = await nextMail(who, /paused 2 campaigns/);
    expect(paused.subject).toBe('SmartPause paused 2 campaigns: Meta reports high disruptions');
    for (const words of [paused.text ?? '', paused.html ?? '']) {
      expect(words).toContain('An account');
      expect(words).toContain('Campaign 0');
      expect(words).toContain('Campaign 1');
      expect(words).not.toContain('Campaign 2');
      expect(words).toContain('Your threshold is medium');
      expect(words).toMatch(/\d:\d\d [AP]M EST/);
      expect(words).toContain('resumes exactly these campaigns at once');
    }
    suite.product.clock.advance(30 * MINUTE);
    await report('Resolved', 'UP', who);
    await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE', 'ACTIVE', 'PAUSED']);
    const resumed = await nextMail(who, /resumed 2 campaigns/);
    expect(resumed.text).toMatch(/^Lasted: 3\d min$/m);
    expect(resumed.text).toContain('At its worst: high disruptions');
    expect(await allMail(who)).toEqual(['Welcome to SmartPause', paused.subject, resumed.subject]);
  });

  test('[ENG-13] what Meta has not confirmed yet is said, and told once it is', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE']);
    const [first = '', second = ''] = who.campaignIds;
    await suite.simulators.graph.fault({
      kind: 'error',
      code: 200,
      campaign: second,
      method: 'POST',
      times: 0,
    });
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await waitForStatuses(suite.simulators, [first], ['PAUSED']);
    const early = await nextMail(who, /paused 1 campaign:/);
    expect(early.text).toContain('1 more campaign is not paused yet');
    await suite.simulators.graph.ask('DELETE', '/faults');
    suite.product.clock.advance(10 * MINUTE);
    await waitForStatuses(suite.simulators, [second], ['PAUSED']);
    await waitFor('the second mail', async () => {
      const subjects = await allMail(who);
      return subjects.filter((subject) => subject === early.subject).length === 2;
    });
    await report('Resolved', 'UP', who);
    await nextMail(who, /resumed 2 campaigns/);
  });

  test('[ENG-13] a campaign changed outside is told by itself, and the resume says what was left alone', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE', 'ACTIVE']);
    const [byHand = '', off = '', kept = ''] = who.campaignIds;
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED', 'PAUSED', 'PAUSED']);
    await nextMail(who, /paused 3 campaigns/);
    await who.person.setSmartPause(who.accountId, off, false);
    await suite.simulators.graph.post(`/campaigns/${byHand}`, { status: 'ACTIVE' });
    suite.product.clock.advance(6 * MINUTE);
    const disabled = await nextMail(who, /disabled for 1 campaign/);
    expect(disabled.text).toContain('resumed outside SmartPause');
    await report('Resolved', 'UP', who);
    await waitForStatuses(suite.simulators, [kept], ['ACTIVE']);
    const resumed = await nextMail(who, /resumed 1 campaign, left 2 alone/);
    expect(resumed.text).toMatch(/Campaign 0: .*resumed outside/);
    expect(resumed.text).toMatch(/Campaign 1: .*SmartPause was turned off/);
  });

  test('[ENG-13] a pause under way when its campaign is deleted: that nobody knows what became of it is said', async () => {
    const who = await advertiser(['ACTIVE']);
    const [campaign = ''] = who.campaignIds;
    const { graph } = suite.simulators;
    const match = { user: who.userId, method: 'POST' };
    await graph.fault({ kind: 'null_entry_applied', times: 1, match });
    const hanging = await graph.fault({ kind: 'hang_before', times: 1, match });
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await waitFor('the pause to be on its way', async () => (await graph.parked(hanging)) === 1);
    const blind = await graph.fault({ kind: 'error', code: 2, times: 0, match: { ...match, method: 'GET' } });
    await graph.post(`/faults/${hanging}/release`);
    await waitForStatuses(suite.simulators, [campaign], ['PAUSED']);
    await graph.post(`/campaigns/${campaign}`, { status: 'DELETED' });
    await graph.ask('DELETE', `/faults/${blind}`);
    await waitFor('the hold to be let go', async () => {
      suite.product.clock.advance(15_000);
      const holds = await suite.product.app.db
        .selectFrom('hold')
        .select(['reason', 'unsettled'])
        .where('campaign_id', '=', campaign)
        .execute();
      return holds.some(({ reason, unsettled }) => reason === 'deleted' && unsettled === 'pausing');
    });
    await report('Resolved', 'UP', who);
    const mail = await nextMail(who, /left 1/);
    expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(
      'Meta did not say whether our pause before that was carried out',
    );
  });

  test('[ENG-13] after an hour of UNKNOWN with campaigns held, one mail says so', async () => {
    const who = await advertiser(['ACTIVE']);
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED']);
    await nextMail(who, /paused 1 campaign/);
    await suite.simulators.status.fault({ kind: 'http', http: 503, times: 0 });
    await waitFor('UNKNOWN', async () => {
      const { status } = await who.person.get<{ status: string }>('/api/status');
      return status === 'UNKNOWN';
    });
    suite.product.clock.advance(59 * MINUTE);
    expect((await allMail(who)).at(-1)).toMatch(/paused 1 campaign/);
    suite.product.clock.advance(2 * MINUTE);
    const unknown = await nextMail(who, /^Still paused: Meta's status cannot be read since/);
    expect(unknown.text).toContain('turn SmartPause off for it. It then stays paused until');
    expect(unknown.text).toContain('Still paused in An account (1 campaign)');
    suite.product.clock.advance(90 * MINUTE);
    await suite.simulators.status.ask('DELETE', '/faults');
    await report('Resolved', 'UP', who);
    await nextMail(who, /resumed 1 campaign/);
    expect((await allMail(who)).filter((subject) => subject.startsWith('Still paused'))).toHaveLength(1);
  });

  test('[ENG-10] the email after an hour of UNKNOWN goes only to users whose campaigns stay paused', async () => {
    const { db } = suite.product.app;
    const resume = { mode: 'delay', delay: { value: 1, unit: 'days' } };
    const matched = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const scheduled = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH', resume });
    const off = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const all = [matched, scheduled, off];
    await report('High disruptions', 'HIGH_DISRUPTION', matched);
    for (const who of all) {
      await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED']);
      await nextMail(who, /paused 1 campaign/);
    }
    await report('Low disruptions', 'LOW_DISRUPTION', matched);
    await off.person.setSmartPause(off.accountId, off.campaignIds[0] ?? '', false);
    await suite.simulators.status.fault({ kind: 'http', http: 503, times: 0 });
    await waitFor('UNKNOWN', async () => (await readStatus(db)).effective === 'UNKNOWN');
    suite.product.clock.advance(61 * MINUTE);
    await nextMail(matched, /^Still paused: Meta's status/);
    const { since } = await readStatus(db);
    // Queued all the same, they are dropped when they are rendered: nothing stays paused, or UNKNOWN began at another time.
    const queue = async (who: Advertiser, event: string) => {
      const id = (await suite.rowOf(who))?.id ?? '';
      await addMails(db, { personIds: [id], kind: 'unknown', event }, suite.product.clock.now());
    };
    await queue(scheduled, unknownEvent(since ?? 0));
    await queue(off, unknownEvent(since ?? 0));
    await queue(matched, unknownEvent((since ?? 0) - MINUTE));
    const subjects = await Promise.all(all.map((who) => allMail(who)));
    const still = subjects.map((own) => own.filter((subject) => subject.startsWith('Still paused')).length);
    expect(still).toEqual([1, 0, 0]);
    await suite.simulators.status.ask('DELETE', '/faults');
    await report('Resolved', 'UP', matched);
    await waitForStatuses(suite.simulators, matched.campaignIds, ['ACTIVE']);
    suite.product.clock.advance(25 * 60 * MINUTE);
    await waitForStatuses(suite.simulators, scheduled.campaignIds, ['ACTIVE']);
  });

  test('[ENG-13] a campaign that was paused twice in one outage is listed once, with its last state', async () => {
    const { db } = suite.product.app;
    const { clock } = suite.product;
    const who = await advertiser(['ACTIVE', 'ACTIVE']);
    const personId = (await suite.rowOf(who))?.id ?? '';
    const kinds = ['paused', 'resumed'] as const;
    // The emails stay open for the whole outage.
    const wanted = kinds.map((kind) => ({ personId, kind }));
    await openMails(db, wanted, clock.now() + 24 * 60 * MINUTE);
    const acts = async (event: string, count: number) =>
      waitFor(`${count} acts ${event}`, async () => {
        const found = db.selectFrom('activity').where('person_id', '=', personId).where('event', '=', event);
        return (await found.select('id').execute()).length === count;
      });
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await acts('paused', 2);
    await report('Low disruptions', 'LOW_DISRUPTION', who);
    await acts('resumed', 2);
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await acts('paused', 4);
    await who.person.setSmartPause(who.accountId, who.campaignIds[1] ?? '', false);
    await waitFor('the hold to end', async () => {
      const held = db.selectFrom('hold').where('person_id', '=', personId).where('state', '<>', 'ended');
      return (await held.select('id').execute()).length === 1;
    });
    await makeDue(db, personId, kinds);
    const paused = await nextMail(who, /SmartPause paused/);
    expect(paused.subject).toBe('SmartPause paused 2 campaigns: Meta reports high disruptions');
    expect(paused.text?.match(/Campaign 0: /g)).toHaveLength(1);
    expect(paused.text).toMatch(/Campaign 1: .*; SmartPause was turned off for it/);
    expect(paused.text).toContain('SmartPause resumes the 1 campaign still paused at once');
    const resumed = await nextMail(who, /SmartPause resumed/);
    expect(resumed.subject).toBe('SmartPause resumed 1 campaign, left 1 alone');
    expect(resumed.text).toMatch(/Campaign 0: .*; paused again since/);
    expect(resumed.text?.match(/Campaign 1: /g)).toHaveLength(1);
    await report('Resolved', 'UP', who);
    await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE', 'PAUSED']);
  });

  test.each(['token', 'account', 'running'] as const)(
    '[ENG-13] an open email about a pause promises no resume that is in doubt: %s',
    async (doubt) => {
      const { db } = suite.product.app;
      const { clock } = suite.product;
      const who = await advertiser(['ACTIVE']);
      const [campaignId = ''] = who.campaignIds;
      const personId = (await suite.rowOf(who))?.id ?? '';
      await openMails(db, [{ personId, kind: 'paused' }], clock.now() + 24 * 60 * MINUTE);
      await report('High disruptions', 'HIGH_DISRUPTION', who);
      await waitFor('the pause to be in the journal', async () => {
        const paused = db
          .selectFrom('activity')
          .where('person_id', '=', personId)
          .where('event', '=', 'paused');
        return (await paused.select('id').execute()).length === 1;
      });
      // What the reconciler still writes for this account would replace what is set below.
      await waitFor('the account to be released', async () => {
        const lane = db.selectFrom('lane').where('account_id', '=', who.accountId);
        return (await lane.where('lease_owner', 'is', null).select('account_id').execute()).length === 1;
      });
      const now = new Date(clock.now());
      await db.transaction().execute(async (tx) => {
        const updates = {
          token: tx.updateTable('platform_token').set({ refused_at: now }).where('person_id', '=', personId),
          account: tx.updateTable('ad_account').set({ lost_at: now }).where('person_id', '=', personId),
          running: tx.updateTable('campaign').set({ status: 'ACTIVE' }).where('id', '=', campaignId),
        };
        await updates[doubt].execute();
        const later = new Date(clock.now() + 24 * 60 * MINUTE);
        await tx
          .updateTable('lane')
          .set({ next_due_at: later })
          .where('account_id', '=', who.accountId)
          .execute();
        await makeDue(tx, personId, ['paused']);
      });
      const { text } = await nextMail(who, /paused 1 campaign/);
      expect(text).not.toContain('SmartPause resumes');
      expect(text).not.toContain('does not resume it any more');
      expect(text).toContain(
        doubt === 'running' ? 'found running; being checked' : 'Meta refuses SmartPause the access',
      );
      await report('Resolved', 'UP', who);
    },
  );

  test('[ENG-13] what is in the journal is in a mail, and no act is in two', async () => {
    const told = await suite.product.app.db
      .selectFrom('activity')
      .select(['event', 'mail_id', 'actor', 'campaign_id', 'hold_id'])
      .where('hold_id', 'is not', null)
      .execute();
    expect(told.length).toBeGreaterThan(6);
    for (const act of told) {
      expect(act.actor).toBe('smartpause');
      expect([act.event, act.mail_id === null]).toEqual([act.event, false]);
    }
    const keys = told.map(({ hold_id, event }) => `${hold_id ?? ''} ${event}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('[ENG-13] how long it lasted is told, although a lesser disruption has begun meanwhile', async () => {
    const who = await advertiser(['ACTIVE'], { mode: 'delay', delay: { value: 10, unit: 'minutes' } });
    await report('High disruptions', 'HIGH_DISRUPTION', who);
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED']);
    await nextMail(who, /paused 1 campaign/);
    await report('Resolved', 'UP', who);
    await report('Low disruptions', 'LOW_DISRUPTION', who);
    suite.product.clock.advance(11 * MINUTE);
    await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE']);
    const { text } = await nextMail(who, /resumed 1 campaign/);
    expect(text).toContain('Lasted: ');
    expect(text).toContain('At its worst: high disruptions');
  });

  test('[ENG-13] a pause that Meta confirms when all is over is told with what it was paused for', async () => {
    const who = await advertiser(['ACTIVE'], { mode: 'delay', delay: { value: 10, unit: 'minutes' } });
    const [only = ''] = who.campaignIds;
    await suite.simulators.graph.fault({ kind: 'applied_but_error', campaign: only, times: 1, code: 2 });
    await suite.simulators.status.reports('High disruptions');
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED']);
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, match: { user: who.userId } });
    await report('Resolved', 'UP', who);
    await suite.simulators.graph.ask('DELETE', '/faults');
    const mail = await nextMail(who, /SmartPause paused 1 campaign/);
    expect(mail.subject).toContain('Meta reports high disruptions');
    const act = await suite.product.app.db
      .selectFrom('activity')
      .select('reason')
      .where('event', '=', 'paused')
      .where('campaign_id', '=', only)
      .executeTakeFirstOrThrow();
    expect(act.reason).toBe('HIGH_DISRUPTION meets MEDIUM');
  });

  test('[ENG-13] what an administrator says of Meta is not told as Meta’s own words', async () => {
    const who = await advertiser(['ACTIVE']);
    const { db } = suite.product.app;
    await recordStatus(db, { directive: 'FORCE_HIGH' }, suite.product.clock.now(), { staleMs: MINUTE });
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED']);
    const mail = await nextMail(who, /SmartPause paused 1 campaign/);
    expect(mail.subject).toContain("SmartPause's operators report high disruptions");
    await recordStatus(db, { directive: null }, suite.product.clock.now(), { staleMs: MINUTE });
    await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE']);
  });
});
