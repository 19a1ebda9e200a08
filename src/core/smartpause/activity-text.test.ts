import { expect, test } from 'vitest';
import { groupText, newCampaignsText, settingsText, withoutCampaign } from './activity-text.ts';

test.each([
  ['Paused "NAME": high disruptions.', 'Paused this campaign.', 'High disruptions.'],
  ['Paused "NAME" again: it was late.', 'Paused this campaign again.', 'It was late.'],
  ['Maya "Mo" M paused "NAME".', 'Maya "Mo" M paused this campaign.', null],
  ['SmartPause was turned on for "NAME".', 'SmartPause was turned on for this campaign.', null],
  ['The account was set up.', 'The account was set up.', null],
])('[HIST-03] the history leaves out the name of the campaign: %s', (text, message, reason) => {
  for (const name of ['Shoes', 'The "best": shoes', ''])
    expect(withoutCampaign(text.replace('NAME', name), 'Maya "Mo" M')).toEqual({ message, reason });
});

test.each([
  [['A'], 'the new campaign "A".'],
  [['A', 'B'], '2 new campaigns: "A", "B".'],
  [['E', 'B', 'A 10', 'D', 'A 9'], '5 new campaigns: "A 9", "A 10", "B" and 2 more.'],
])('[UX-09] SmartPause for new campaigns names the first three at most: %j', (names, expected) => {
  expect(newCampaignsText(names)).toBe(`SmartPause was turned on for ${expected}`);
});

test.each([
  ['paused', 'HIGH meets LOW', 'Paused 2 campaigns in Lind.'],
  ['released', 'paused_outside', 'Did not resume 2 campaigns in Lind.'],
  ['released', 'already_active', 'Did not need to resume 2 campaigns in Lind.'],
  ['released', 'not_needed', 'Did not pause 2 campaigns in Lind.'],
  ['smartpause', 'OFF', 'SmartPause was turned off for 2 campaigns in Lind.'],
  ['manual_pause', 'manual', 'Maya paused "A". And 1 more campaign in Lind.'],
])('[ADMIN-02] activities of one kind are one: %s, %s', (event, reason, text) => {
  const group = { event, reason, message: 'Maya paused "A".', account: 'Lind', campaigns: 2 };
  expect(groupText(group)).toBe(text);
  expect(groupText({ ...group, campaigns: 1 })).toBe('Maya paused "A".');
});

const SAVED = {
  threshold: 'MEDIUM',
  resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  email: 'ada@example.com',
  onForNewCampaigns: false,
} as const;

test.each([
  [{ threshold: 'LOW' }, 'were changed: threshold low (was medium).'],
  [
    { resumeSettings: { mode: 'instant' }, onForNewCampaigns: true },
    'were changed: resume immediately (was 5 minutes later), SmartPause for new campaigns on (was off).',
  ],
  [{ email: 'new@example.com' }, 'were changed: new email address.'],
  [{}, 'were saved without a change.'],
] as const)('[HIST-03] changed settings are named with their old and new values: %j', (change, ending) => {
  expect(settingsText(SAVED, { ...SAVED, ...change })).toBe(`SmartPause settings ${ending}`);
});
