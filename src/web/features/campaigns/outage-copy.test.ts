import { describe, expect, test } from 'vitest';
import type { HeldAccount, UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import { belowCopy, delayCopy, lapsedCopy, matchedCopy, scheduledCopy, unknownCopy } from './outage-copy.ts';

const user = (given: Partial<UserStatus> = {}): UserStatus => ({
  resumeSettings: { mode: 'instant' },
  outageThreshold: 'MEDIUM',
  email: null,
  resumeAt: null,
  ...given,
});
const account = (name: string, count = 1, given: Partial<HeldAccount> = {}): HeldAccount => ({
  id: `act_${name}`,
  name,
  count,
  ...given,
});
const outdoor = account('Lind Outdoor', 2);
const kids = account('Lind Kids');
const RESUMED = 'They resume as soon as the outage ends.';

describe('the banner while the threshold is met', () => {
  test.each<[string, Partial<UserStatus>]>([
    [`Campaigns with SmartPause on that were running are paused. ${RESUMED}`, {}],
    [`Pausing 2 campaigns. ${RESUMED}`, { notYetPaused: { count: 2, because: null } }],
    [
      `2 campaigns paused in 1 account. ${RESUMED}`,
      { heldCampaigns: 2, heldAccounts: [outdoor], protectedRunning: 2 },
    ],
    [`3 campaigns paused in 2 accounts. ${RESUMED}`, { heldCampaigns: 3, heldAccounts: [outdoor, kids] }],
    [
      `3 campaigns paused in 2 accounts. Pausing 1 more. Meta’s rate limit for the ad account is reached, so we continue when Meta allows it. ${RESUMED}`,
      {
        heldCampaigns: 3,
        heldAccounts: [outdoor, kids],
        notYetPaused: { count: 1, because: 'limit' },
        protectedRunning: 4,
      },
    ],
    [
      'Pausing 1 campaign. Meta isn’t responding, so we keep trying. It resumes as soon as the outage ends.',
      { heldCampaigns: 0, heldAccounts: [], notYetPaused: { count: 1, because: 'no_answer' } },
    ],
    [
      `2 campaigns paused in 1 account. ${RESUMED} Meta refused to pause 1 campaign. It keeps running and isn’t protected.`,
      { heldCampaigns: 2, heldAccounts: [outdoor], pauseRefused: 1 },
    ],
    [
      'Meta refused to pause 2 campaigns. They keep running and aren’t protected.',
      { heldCampaigns: 0, heldAccounts: [], pauseRefused: 2 },
    ],
  ])('[UX-01, DASH-03, FR-01] %s', (text, given) => {
    expect(matchedCopy(user(given), 'stale')).toEqual({
      title: 'SmartPause Activated - Threshold Matched',
      color: 'yellow',
      text,
      offer: null,
    });
  });

  test.each<[string, UserStatus['resumeSettings']]>([
    ['They resume 5 minutes after the outage ends.', { mode: 'delay', delay: { value: 5, unit: 'minutes' } }],
    ['They resume 1 hour after the outage ends.', { mode: 'delay', delay: { value: 1, unit: 'hours' } }],
    ['They resume at 12:01 AM EST on the day after the outage ends.', { mode: 'next_day' }],
  ])('[UX-01] %s', (sentence, resumeSettings) => {
    const held = { heldCampaigns: 2, heldAccounts: [outdoor], resumeSettings };
    expect(matchedCopy(user(held), 'ok').text).toBe(`2 campaigns paused in 1 account. ${sentence}`);
  });

  test.each<[string, Partial<UserStatus>]>([
    [
      '2 campaigns can’t be paused: Meta no longer accepts our access.',
      { heldCampaigns: 0, heldAccounts: [], notYetPaused: { count: 2, because: null } },
    ],
    [
      '2 campaigns paused in 1 account. 1 more can’t be paused: Meta no longer accepts our access.',
      { heldCampaigns: 2, heldAccounts: [outdoor], notYetPaused: { count: 1, because: 'no_answer' } },
    ],
    [
      '2 campaigns paused in 1 account. They can’t be resumed: Meta no longer accepts our access.',
      { heldCampaigns: 2, heldAccounts: [outdoor] },
    ],
  ])('[UX-01] with a refused token a new login is needed: %s', (text, given) => {
    expect(matchedCopy(user(given), 'expired')).toMatchObject({ color: 'yellow', text, offer: 'reconnect' });
  });

  test('[UX-01] nothing paused and nothing on its way is not called paused', () => {
    const { text } = matchedCopy(user({ heldCampaigns: 0, heldAccounts: [], protectedRunning: 1 }), 'ok');
    expect(text).toBe('No campaign is paused by SmartPause right now.');
  });

  test.each([
    [3, 'but SmartPause is on for none of your 3 running campaigns. They keep spending.'],
    [1, 'but SmartPause is off for your running campaign. It keeps spending.'],
    [undefined, 'but SmartPause is on for none of your running campaigns. They keep spending.'],
  ])('[UX-02] %s running campaigns, none protected: a warning', (running, words) => {
    const copy = matchedCopy(
      user({ heldCampaigns: 0, heldAccounts: [], protectedRunning: 0, ...(running && { running }) }),
      'ok',
    );
    expect(copy).toEqual({
      title: 'Nothing is protected in this disruption',
      color: 'red',
      text: `Meta’s status meets your threshold, ${words}`,
      offer: 'choose',
    });
  });

  test('[UX-02] with a refused token the warning says that access must be renewed first', () => {
    const given = { heldCampaigns: 0, heldAccounts: [], protectedRunning: 0, running: 2 };
    expect(matchedCopy(user(given), 'expired')).toEqual({
      title: 'Nothing is protected in this disruption',
      color: 'red',
      text: 'Meta’s status meets your threshold, but SmartPause is on for none of your 2 running campaigns. They keep spending. Meta no longer accepts our access, so renew it first.',
      offer: 'reconnect',
    });
  });

  test('[UX-02] without a running campaign there is nothing to protect', () => {
    const copy = matchedCopy(
      user({ heldCampaigns: 0, heldAccounts: [], protectedRunning: 0, running: 0 }),
      'ok',
    );
    expect(copy).toMatchObject({
      color: 'yellow',
      text: 'None of your campaigns is running, so there is nothing to pause.',
      offer: null,
    });
  });
});

test('[DASH-04] below the threshold the text does not contradict a resume that is hours away', () => {
  expect(belowCopy(user())).toBe(
    'Your campaigns remain active or are resuming, because the status is below your threshold (MEDIUM).',
  );
  expect(belowCopy(user({ resumeAt: '2026-01-10T05:01:00.000Z' }))).toBe(
    'Your campaigns remain active or are resuming as scheduled, because the status is below your threshold (MEDIUM).',
  );
  // The holds began with a lower threshold.
  expect(belowCopy(user({ heldCampaigns: 2 }))).toBe(
    '2 campaigns stay paused: the status still meets the threshold that they were paused for.',
  );
});

describe('the banner of a scheduled resume', () => {
  test('[UX-05] names what delays it, once for each cause', () => {
    expect(delayCopy([outdoor, kids])).toEqual([]);
    expect(delayCopy()).toEqual([]);
    const delayed = (name: string, delayedBy: HeldAccount['delayedBy']) =>
      account(name, 1, delayedBy && { delayedBy });
    expect(
      delayCopy([
        delayed('A', 'limited'),
        delayed('B', 'access_lost'),
        delayed('C', undefined),
        delayed('D', 'limited'),
        delayed('E', 'no_answer'),
      ]),
    ).toEqual([
      'Meta’s rate limit for A and D is reached: resuming continues when Meta allows it.',
      'You no longer have access to B on Meta: nothing resumes there without it.',
      'Meta isn’t responding for E: we keep trying.',
    ]);
    expect(delayCopy([delayed('A', 'login')])[0]).toMatch(/reconnect/);
  });
});

test('[FR-01] while the status is unknown the banner promises a resume only where one is scheduled', () => {
  const first = 'We can’t read Meta’s status page. No campaigns will be paused until we can.';
  expect(unknownCopy(undefined)).toBe(first);
  expect(unknownCopy(user({ heldCampaigns: 0 }))).toBe(first);
  expect(unknownCopy(user({ heldCampaigns: 5 }))).toBe(`${first} 5 campaigns stay paused until then.`);
  expect(unknownCopy(user({ heldCampaigns: 5, resumeAt: '2026-01-09T02:47:00Z' }))).toBe(
    `${first} Scheduled resumes still run on time.`,
  );
});

const now = Date.parse('2026-01-09T02:30:00Z');

test('paused campaigns are counted, and the text says how they resume', () => {
  const one = lapsedCopy(1, null, now);
  expect(one.title).toBe('1 campaign is paused by SmartPause right now');
  expect(one.text).toMatch(/^It still resumes when the disruption ends, as set in Settings\./);
  const three = lapsedCopy(3, now + minutes(17), now);
  expect(three.title).toBe('3 campaigns are paused by SmartPause right now');
  expect(three.text).toMatch(/^They still resume at 9:47 PM EST\./);
  expect(lapsedCopy(3, now + minutes(151), now).text).toMatch(
    /^They still resume on Jan 9, 2026, 12:01 AM EST\./,
  );
});

test('[DASH-02] the resume banner names one account and counts several, whose links name them', () => {
  expect(scheduledCopy(2, [outdoor])).toBe('2 campaigns in Lind Outdoor.');
  expect(scheduledCopy(3, [outdoor, kids])).toBe('3 campaigns in 2 accounts.');
});
