import { expect, test } from 'vitest';
import { WITH_SHARED_DETAIL } from '../events.ts';
import { activityText, groupText, settingsChanges } from './activity-text.ts';

test.each([
  ['Paused {campaigns}', 'high disruptions', 'Paused "A": high disruptions.'],
  ['Maya paused {campaigns}', null, 'Maya paused "A".'],
  ['could not pause {campaigns}', 'Meta refused it!', 'Could not pause "A": Meta refused it!'],
  ['Maya set up SmartPause.', null, 'Maya set up SmartPause.'],
])('an activity is one sentence: %s', (message, detail, text) => {
  expect(activityText({ message, detail }, '"A"')).toBe(text);
});

test('a campaign may have any name', () => {
  const words = { message: 'Paused {campaigns}', detail: null };
  for (const name of ['The "best": shoes', "$& {campaigns} $'", ''])
    expect(activityText(words, name)).toBe(`Paused ${name}.`);
});

test.each([
  ['paused', ['A', 'B', 'C'], 40, 'Paused 40 campaigns in Lind (“A”, “B”, “C” and 37 more): it is high.'],
  ['resumed', ['A', 'B'], 2, 'Paused 2 campaigns in Lind (“A”, “B”): it is high.'],
  ['smartpause_on_new', ['A', 'A'], 2, 'Paused 2 campaigns in Lind (“A”, “A”): it is high.'],
  ['released', ['A', 'B'], 2, 'Paused 2 campaigns in Lind (“A”, “B”).'],
  ['released', ['A'], 1, 'Paused “A” in Lind: it is high.'],
  ['released', ['A', 'Former A'], 1, 'Paused “A” in Lind: it is high.'],
  ['paused', ['A', 'Former A', 'B'], 2, 'Paused 2 campaigns in Lind (“A”, “Former A”): it is high.'],
])('[ADMIN-02] a group names its first campaigns: %s of %j', (event, names, count, text) => {
  const sharesDetail = WITH_SHARED_DETAIL.some((name) => name === event);
  const group = {
    sharesDetail,
    message: 'Paused {campaigns}',
    detail: 'it is high',
    account: 'Lind',
    names,
    count,
  };
  expect(groupText(group)).toBe(text);
  expect(groupText({ ...group, account: null })).toBe(text.replace(' in Lind', ''));
});

const SAVED = {
  threshold: 'MEDIUM',
  resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  email: 'ada@example.com',
  onForNewCampaigns: false,
  hasMonthlySummary: true,
  earlyWarning: 'official',
} as const;

test.each([
  [{ threshold: 'LOW' }, ['threshold low (was medium)']],
  [
    { resumeSettings: { mode: 'instant' }, onForNewCampaigns: true },
    ['resume immediately (was 5 minutes later)', 'SmartPause for new campaigns on (was off)'],
  ],
  [{ email: 'new@example.com' }, ['new email address']],
  [{ hasMonthlySummary: false }, ['monthly summary by email off (was on)']],
  [{}, []],
] as const)('[HIST-03] changed settings are named with their old and new values: %j', (change, named) => {
  expect(settingsChanges(SAVED, { ...SAVED, ...change })).toEqual(named);
});
