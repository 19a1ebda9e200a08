import { expect, test } from 'vitest';
import type { ReleaseReason } from '../reconciler/hold.ts';
import {
  manualFailedText,
  manualText,
  newCampaignsText,
  notNeededText,
  pausedText,
  releaseText,
  restoredText,
  resumedText,
  settingsText,
  testNotNeededText,
  withoutCampaign,
} from './activity-text.ts';

test('a pause names the threshold and the level, which may differ from Meta’s status', () => {
  expect(pausedText('Shoes', 'MEDIUM_DISRUPTION', 'LOW')).toBe(
    'Paused "Shoes": medium disruptions, your threshold is low.',
  );
});

test.each([
  ['at the end of an outage', 'UP', false, 'Resumed "Shoes": no disruptions.'],
  ['in the middle of one', 'HIGH_DISRUPTION', true, 'Resumed "Shoes": you are leaving SmartPause.'],
] as const)('a resume %s states the reason', (_title, known, isLeaving, expected) => {
  expect(resumedText('Shoes', known, isLeaving)).toBe(expected);
});

test('the end of a hold says why, and a manual change who', () => {
  expect(releaseText('Shoes', 'manual_pause')).toBe(
    'Did not resume "Shoes": it was paused manually here; it stays paused.',
  );
  expect(notNeededText('Shoes')).toBe(
    'Did not pause "Shoes": the disruption ended before Meta accepted the pause; it kept running.',
  );
  expect(testNotNeededText('Shoes')).toBe(
    'Test: did not pause "Shoes": Meta did not accept the pause in time; it kept running.',
  );
  expect(manualText('Maya', 'Shoes', 'paused')).toBe('Maya paused "Shoes".');
  expect(manualFailedText('Shoes', 'resume')).toBe(
    'Could not resume "Shoes": Meta did not confirm the change that you requested.',
  );
});

const archived: ReleaseReason = 'archived';
const NAMES = ['Shoes', 'The "best": shoes', ''];
test.each<[(name: string) => string, string, string | null]>([
  [
    (name) => pausedText(name, 'HIGH_DISRUPTION', 'LOW'),
    'Paused this campaign.',
    'High disruptions, your threshold is low.',
  ],
  [(name) => resumedText(name, 'UP', false), 'Resumed this campaign.', 'No disruptions.'],
  [
    (name) => restoredText(name, 'paused'),
    'Paused this campaign again.',
    'Meta applied our earlier resume only after it was paused manually.',
  ],
  [
    (name) => releaseText(name, archived),
    'Did not resume this campaign.',
    'It was archived; SmartPause is now disabled for it.',
  ],
  [(name) => manualText('Maya "Mo" M', name, 'paused'), 'Maya "Mo" M paused this campaign.', null],
  [
    (name) => manualFailedText(name, 'pause'),
    'Could not pause this campaign.',
    'Meta did not confirm the change that you requested.',
  ],
  [(name) => `SmartPause was turned on for "${name}".`, 'SmartPause was turned on for this campaign.', null],
  [() => 'The account was set up.', 'The account was set up.', null],
])('[HIST-03] the history leaves out the name of the campaign: %#', (text, message, reason) => {
  for (const name of NAMES) expect(withoutCampaign(text(name), 'Maya "Mo" M')).toEqual({ message, reason });
});

test.each([
  [['A'], 'the new campaign "A".'],
  [['A', 'B'], '2 new campaigns: "A", "B".'],
  [['A', 'B', 'C', 'D', 'E'], '5 new campaigns: "A", "B", "C" and 2 more.'],
])('[UX-09] SmartPause for new campaigns names three at most: %j', (names, expected) => {
  expect(newCampaignsText(names)).toBe(`SmartPause was turned on for ${expected}`);
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
