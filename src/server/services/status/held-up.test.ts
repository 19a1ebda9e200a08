import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { allMailTo, nextMailTo } from '../../../../test/support/mail.ts';
import { hours, minutes } from '../../../core/time.ts';

describe('[FR-32, ENG-13, ENG-22] Meta has suspended SmartPause’s own connection while campaigns are paused', () => {
  const suite = engineSuite();
  const { activitiesOf, become, campaignsOf, heldAdvertiser, later, recovery } = suite;
  const block = (blocked: boolean) => suite.simulators.graph.post('/app', { blocked });
  const each = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) await later(minutes(1));
  };

  test('the email of the pause promises no resume, and that of the end names what stays paused, once', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await block(true);
    // The page is refused, and so the app.
    await suite.advance(minutes(1));
    await campaignsOf(who);
    const paused = await nextMailTo(suite, who.email, /^SmartPause paused 2 campaigns/);
    expect(paused.text).toContain('Meta doesn’t let SmartPause pause or resume campaigns now.');
    expect(paused.text).toContain('To run them sooner, resume them in Ads Manager.');
    expect(paused.text).not.toMatch(/No action needed|press Resume now/);
    await recovery();
    await each(5);
    const told = 'Still paused: Meta doesn’t let SmartPause resume 2 campaigns';
    const mails = await allMailTo(suite, who.email);
    expect(mails.filter((subject) => subject === told)).toHaveLength(1);
    const waiting = await nextMailTo(suite, who.email, /^Still paused: Meta/);
    expect(waiting.text).toMatch(
      /^2 campaigns stay paused until it’s back\. Then SmartPause resumes them, .*\n\nTo run them sooner, resume them in Ads Manager\.$/m,
    );
    expect(waiting.text).toMatch(
      /Still paused in An account \(2 campaigns\):\n.*\n- Campaign 0\n- Campaign 1\n/,
    );
    expect(waiting.text).not.toContain('No action needed');
    expect((await activitiesOf(who)).at(-1)).toEqual({
      event: 'held_up',
      message:
        'Could not resume "Campaign 0" yet: SmartPause’s own connection to Meta is suspended; your access is fine.',
    });
    await later(hours(7));
    const reminder = await nextMailTo(suite, who.email, /^Still paused: 2 campaigns for 7 h/);
    expect(reminder.text).toContain('Meta doesn’t let SmartPause');
    expect(reminder.text).not.toMatch(/resumes them now|press Resume now/);
    await block(false);
    await each(3);
    await become(who, ['ACTIVE', 'ACTIVE']);
    const { text } = await nextMailTo(suite, who.email, /^SmartPause resumed 2 campaigns/);
    expect(text).toContain('No action needed.');
    expect((await allMailTo(suite, who.email)).filter((subject) => subject === told)).toHaveLength(1);
  });

  test('of campaigns with other thresholds each is named once its own resume is due', async () => {
    const resumeSettings = { mode: 'delay', delay: { value: 1, unit: 'hours' } };
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1, resume: resumeSettings });
    await recovery();
    const settings = { resumeSettings, outageThreshold: 'LOW', email: who.email };
    await who.user.post('/api/user/settings', settings);
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await become(who, ['PAUSED', 'PAUSED']);
    await block(true);
    await suite.advance(minutes(1));
    await campaignsOf(who);
    const heldUp = async () =>
      (await Promise.all([0, 1].map((index) => suite.eventsOf(who, index)))).map(
        (events) => events.filter((event) => event === 'held_up').length,
      );
    await each(2);
    expect(await heldUp()).toEqual([0, 0]);
    await later(hours(1));
    await each(3);
    expect(await heldUp()).toEqual([1, 0]);
    const first = await nextMailTo(suite, who.email, /^Still paused: .* resume 1 campaign /);
    expect(first.text).not.toContain('Campaign 1');
    await recovery();
    await each(2);
    expect(await heldUp()).toEqual([1, 0]);
    await later(hours(1));
    await each(5);
    expect(await heldUp()).toEqual([1, 1]);
    await allMailTo(suite, who.email);
    const second = await nextMailTo(suite, who.email, /^Still paused: .* resume 1 campaign /);
    expect(second.text).toContain('- Campaign 1: ');
    expect(second.text).not.toContain('Campaign 0');
    await block(false);
    await each(3);
    await become(who, ['ACTIVE', 'ACTIVE']);
  });

  test('a resume that waits in a second stop, too, is reported again', async () => {
    const who = await heldAdvertiser();
    const heldUp = async () => (await suite.eventsOf(who)).filter((event) => event === 'held_up').length;
    const waits = async () => {
      await block(true);
      await suite.advance(minutes(1));
      await campaignsOf(who);
      await each(3);
    };
    await block(true);
    await recovery();
    await waits();
    expect(await heldUp()).toBe(1);
    const error = { kind: 'error', code: 415, subcode: 2859009, op: 'inner', times: 0, method: 'POST' };
    await suite.simulators.graph.fault(error);
    await block(false);
    await each(2);
    expect(await heldUp()).toBe(1);
    await waits();
    expect(await heldUp()).toBe(2);
    await suite.mend();
    await block(false);
    await each(12);
    await become(who, ['ACTIVE']);
  });

  test('[ENG-25] a resume that would wait for another tool is not reported', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const off = [{ weekdays: [0, 1, 2, 3, 4, 5, 6], from: 0, minutes: 1439 }];
    await suite.product.app.db
      .updateTable('campaigns')
      .set({ otherSchedule: JSON.stringify({ timeZone: 'UTC', off }) })
      .where('id', '=', who.campaignIds[1] ?? '')
      .execute();
    await block(true);
    await suite.advance(minutes(1));
    await campaignsOf(who);
    await recovery();
    await each(3);
    expect([(await suite.eventsOf(who)).at(-1), await suite.eventsOf(who, 1)]).toEqual([
      'held_up',
      ['paused'],
    ]);
    const { text } = await nextMailTo(suite, who.email, /^Still paused: .* resume 1 campaign /);
    expect(text).not.toContain('Campaign 1');
    await block(false);
    await each(2);
  });

  test('[SET-12] a user who leaves gets the email, too, and has left once the connection is back', async () => {
    const who = await heldAdvertiser();
    await allMailTo(suite, who.email);
    await block(true);
    await suite.advance(minutes(1));
    await campaignsOf(who);
    const answered = who.user.call('POST', '/api/account/deauthorize');
    await suite.amid('the mark', async () => (await suite.rowOf(who))?.leaving === 'deauthorize');
    suite.product.clock.advance(minutes(1));
    await each(2);
    expect((await answered).status).toBe(502);
    const { text } = await nextMailTo(suite, who.email, /^Still paused: Meta/);
    expect(text).toContain('You asked us to revoke our access to your ad accounts.');
    expect(text).toContain('To run it sooner, resume it in Ads Manager.');
    await block(false);
    await each(4);
    await become(who, ['ACTIVE']);
    expect((await suite.rowOf(who))?.leaving).toBeNull();
  });
});
