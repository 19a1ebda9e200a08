import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { dumpOf } from '../../../test/support/database.ts';
import { allMailTo, nextMailTo } from '../../../test/support/mail.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';

const MINUTE = 60_000;

describe('notifications to users', () => {
  const suite = engineSuite({ usesSmtp: true });

  // Every reported activity is in exactly one notification, or will be.
  afterEach(async () => {
    const { rows: reported } = await sql<Record<'event' | 'actor' | 'notification' | 'holdId', string>>`
      select event, actor, coalesce(notification_id::text, pending_notification) as notification,
        campaign ->> 'holdId' as hold_id
      from activities, jsonb_each(campaigns) as c(id, campaign)
      where campaign ? 'holdId'`.execute(suite.product.app.db);
    expect(reported).not.toEqual([]);
    for (const act of reported) {
      expect(act.actor).toBe('smartpause');
      expect([act.event, act.notification]).toEqual([act.event, expect.any(String)]);
    }
    const keys = reported.map(({ holdId, event }) => `${holdId} ${event}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  const nextNotification = (who: Advertiser, subject: RegExp) => nextMailTo(suite, who.email, subject);
  const allNotification = (who: Advertiser) => allMailTo(suite, who.email);

  async function advertiser(campaigns: ('ACTIVE' | 'PAUSED')[], resume?: object): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns, ...(resume && { resume }) });
    await suite.report('No known issues', 'UP');
    return who;
  }

  test('[CHAN-08, ENG-13] one notification reports a whole pause, one the whole resume: names, reasons, times', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE', 'PAUSED']);
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED', 'PAUSED']);
    const paused = await nextNotification(who, /paused 2 campaigns/);
    const subject = 'SmartPause paused 2 campaigns: Meta reports high disruptions';
    expect(paused.subject).toMatch(new RegExp(`^${subject} \\(outage of \\w+ \\d+, [\\d:]+ [AP]M EST\\)$`));
    // As an email program reads what came by SMTP.
    expect(paused.headers['references']).toMatch(/^<smartpause\.outage\.\d+\.\d+@/);
    expect(paused.text).toMatch(/Your threshold is medium.*Paused in An account.*Campaign 0.*Campaign 1/s);
    expect(paused.text).not.toContain('Campaign 2');
    expect(paused.text).toContain('resumes exactly the 2 paused campaigns immediately');
    suite.product.clock.advance(30 * MINUTE);
    await suite.recovery();
    await suite.become(who, ['ACTIVE', 'ACTIVE', 'PAUSED']);
    const resumed = await nextNotification(who, /resumed 2 campaigns/);
    expect(resumed.text).toMatch(/Duration: 3\d min/);
    expect(resumed.text).toContain('Peak: high disruptions');
    for (const header of ['references', 'in-reply-to'])
      expect(resumed.headers[header]).toBe(paused.headers['references']);
    expect(await allNotification(who)).toEqual([subject, 'SmartPause resumed 2 campaigns']);
  });

  test('[CHAN-06, CHAN-08, FR-41] emails of one outage are one thread, those of two never, also by the subject alone', async () => {
    const who = await advertiser(['ACTIVE', 'ACTIVE']);
    const threadOf = async (subject: RegExp) => {
      const { headers, ...mail } = await nextNotification(who, subject);
      expect(headers['in-reply-to']).toBe(headers['references']);
      return [headers['references'], / \(outage of \w+ \d+, [\d:]+ [AP]M EST\)$/.exec(mail.subject)?.[0]];
    };
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED']);
    const first = await threadOf(/paused 2/);
    expect(first).not.toContain(undefined);
    await suite.advance(6 * 60 * MINUTE);
    await suite.outage();
    await suite.product.app.runTask('reminding of paused campaigns');
    expect(await threadOf(/^Still paused: 2 campaigns for 6 h/)).toEqual(first);
    const refusal = { kind: 'error', code: 100, match: { method: 'POST', op: 'inner' } } as const;
    await suite.simulators.graph.fault({ ...refusal, times: 1 });
    await suite.recovery();
    expect(await threadOf(/not resumed yet|did not resume/)).toEqual(first);
    await suite.advance(2 * MINUTE);
    await suite.recovery();
    await suite.become(who, ['ACTIVE', 'ACTIVE']);
    await allNotification(who);
    expect(await threadOf(/^SmartPause resumed/)).toEqual(first);
    await suite.outage();
    await suite.become(who, ['PAUSED', 'PAUSED']);
    await allNotification(who);
    const second = await threadOf(/paused 2/);
    expect(second.filter((part) => first.includes(part))).toEqual([]);
  });

  test('[ENG-10, ENG-13] one notification after an hour of UNKNOWN, only to users whose campaigns stay paused', async () => {
    const resume = { mode: 'delay', delay: { value: 1, unit: 'days' } };
    const matched = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const scheduled = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH', resume });
    const all = [matched, scheduled];
    await suite.outage();
    for (const who of all) {
      await suite.become(who, ['PAUSED']);
      await nextNotification(who, /paused 1 campaign/);
    }
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });
    await suite.known('UNKNOWN');
    suite.product.clock.advance(59 * MINUTE);
    await suite.product.app.runTask('long unknown');
    expect((await allNotification(matched)).at(-1)).toMatch(/paused 1 campaign/);
    for (const minutes of [2, 30]) {
      suite.product.clock.advance(minutes * MINUTE);
      await suite.product.app.runTask('long unknown');
    }
    const unknown = await nextNotification(matched, /^Still paused: Meta’s status/);
    expect(unknown.text).toContain('Still paused in An account (1 campaign)');
    const subjects = await Promise.all(all.map((who) => allNotification(who)));
    const still = subjects.map((own) => own.filter((subject) => subject.startsWith('Still paused')).length);
    expect(still).toEqual([1, 0]);
    await suite.simulators.status.ask('DELETE', '/faults');
    await suite.recovery();
    await suite.become(matched, ['ACTIVE']);
    suite.product.clock.advance(25 * 60 * MINUTE);
    await suite.become(scheduled, ['ACTIVE']);
  });

  test.each(['', '/activity', '/activity/1', '/auth/facebook', '/settings/notifications'])(
    '[FR-22] the link %j of an email changes nothing when a scanner opens it, twice, without cookies',
    async (path) => {
      const who = await suite.heldAdvertiser();
      await allNotification(who);
      const { app, url } = suite.product;
      await app.db.deleteFrom('loginAttempts').execute();
      const before = await dumpOf(app.db);
      const writes = (await suite.simulators.graph.writes()).length;
      for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
        const response = await fetch(url + path, { method, redirect: 'manual' });
        expect(response.status).toBeLessThan(400);
      }
      // A login that was begun belongs to the client that began it.
      await app.db.deleteFrom('loginAttempts').execute();
      expect(await dumpOf(app.db)).toBe(before);
      expect((await suite.simulators.graph.writes()).length).toBe(writes);
      await suite.recovery();
    },
  );
});
