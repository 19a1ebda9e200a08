import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { allMailTo, nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { minutes, seconds } from '../../../core/time.ts';

const suite = engineSuite();
const { advertiser, heldAdvertiser, later, mend, outage, recovery, statuses } = suite;

const TWO_FACTOR = { code: 415, subcode: 2859009, userTitle: 'Two-factor authentication required' };
const FINAL = { code: 100, subcode: 1487000, userTitle: 'Campaign has ended' };

/** Meta refuses each change of one campaign. */
const refuse = ({ campaignIds }: Advertiser, index: number, error: object) =>
  suite.simulators.graph.fault({
    ...{ kind: 'error', times: 0, method: 'POST', op: 'inner', campaign: campaignIds[index], ...error },
  });
const tens = async (count: number) => {
  for (let ten = 0; ten < count; ten += 1) await later(seconds(10));
};

describe('[FR-29, ENG-13] a campaign that Meta refuses for good', () => {
  test('is named in the one email of the end of the outage beside those that were resumed', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await nextMailTo(suite, who.email, /^SmartPause paused 2 campaigns/);
    await refuse(who, 0, FINAL);
    await recovery();
    await tens(9);
    const { text } = await nextMailTo(suite, who.email, /^SmartPause resumed 1 campaign, 1 not resumed/);
    expect(text).toContain('SmartPause does not try again to resume 1 campaign.');
    expect(text).not.toContain('No action needed');
    expect(await allMailTo(suite, who.email)).toHaveLength(2);
  });

  test('an email that cannot wait says that it is still being tried', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who, 0, FINAL);
    await refuse(who, 1, TWO_FACTOR);
    await recovery();
    const { text } = await nextMailTo(suite, who.email, /refused to resume 1 campaign/);
    expect(text).toContain('1 more campaign is not resumed yet. SmartPause keeps trying');
  });

  test('of a pause is in the email of the other pauses', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who, 0, FINAL);
    await outage();
    await tens(9);
    await nextMailTo(suite, who.email, /^SmartPause paused 1 campaign, 1 not paused/);
    expect(await allMailTo(suite, who.email)).toHaveLength(1);
  });
});

test('[SET-12, ENG-13] the last email to a user who leaves names what Meta refused to resume for good before', async () => {
  const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
  await refuse(who, 0, FINAL);
  await recovery();
  await tens(9);
  await nextMailTo(suite, who.email, /^SmartPause resumed 1 campaign, 1 not resumed/);
  expect((await who.user.call('POST', '/api/account/deauthorize')).status).toBe(200);
  const { text } = await nextMailTo(suite, who.email, /no longer has access/);
  expect(text).toContain(
    'Please check 1 campaign in Ads Manager. SmartPause had paused it, and Meta refused',
  );
  expect(text).toMatch(/Campaign has ended.*\n\nStill paused \(1 campaign\):\n- Campaign 0: An account/s);
});

test('[CHAN-08, ENG-13] what was paused in the first of two outages is resumed in an email of its own', async () => {
  const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
  const first = await nextMailTo(suite, who.email, /^SmartPause paused 2 campaigns/);
  await refuse(who, 0, TWO_FACTOR);
  await recovery();
  await nextMailTo(suite, who.email, /^SmartPause resumed 1 campaign, 1 not resumed yet/);
  await later(minutes(20));
  await outage();
  const second = await nextMailTo(suite, who.email, /^SmartPause paused 1 campaign/);
  await mend();
  await recovery();
  for (let minute = 0; minute < 3; minute += 1) await later(minutes(1));
  expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  await allMailTo(suite, who.email);
  const timeOf = (subject: string) => /\(outage of (.* EST)\)$/.exec(subject)?.[1];
  const mails = await suite.simulators.mailbox.messagesTo(who.email);
  const ends = mails.slice(-2).map(({ subject, text, headers }) => ({
    at: timeOf(subject),
    campaign: /Campaign \d/.exec(text ?? '')?.[0],
    thread: headers['references'],
  }));
  expect(timeOf(first.subject)).not.toBe(timeOf(second.subject));
  expect(ends).toEqual([
    { at: timeOf(first.subject), campaign: 'Campaign 0', thread: first.headers['references'] },
    { at: timeOf(second.subject), campaign: 'Campaign 1', thread: second.headers['references'] },
  ]);
});
