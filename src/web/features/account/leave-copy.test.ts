import { expect, test } from 'vitest';
import type { Campaign, HeldAccount } from '#contract/shapes.ts';
import { leaveCopy, resumesFirst } from './leave-copy.ts';

const NOW = Date.parse('2026-01-09T02:30:00Z');
const retryAt = '2026-01-09T02:47:00Z';
const paused: Campaign = { id: '1', name: 'Hats', status: 'PAUSED', objective: '', held: true };
const words = 'Two-factor authentication required';
const refused: Campaign = { ...paused, refused: { action: 'resume', words, retryAt } };
const ended: Campaign = {
  ...{ ...paused, id: '2', name: 'Shoes', held: false },
  notResumed: { words: 'Campaign has ended', at: retryAt },
};
const runs: Campaign = { ...paused, status: 'ACTIVE', refused: { action: 'pause', words, retryAt } };

test.each<[string, Campaign[], string[]]>([
  ['nothing is refused', [paused, runs], ['We’re still working on it. It goes on if you close this.']],
  [
    'Meta refuses a resume',
    [refused],
    [
      '1 campaign stays paused: Meta refuses to resume it.',
      'Hats: Meta says “Two-factor authentication required”.',
      'SmartPause tries again at 9:47 PM EST, and a few times within about an hour. Then our access is revoked. You can also resume it in Ads Manager. It goes on if you close this.',
    ],
  ],
  [
    'Meta refused one for good, too',
    [refused, { ...refused, id: '3', name: 'Boots' }, ended],
    [
      '3 campaigns stay paused: Meta refuses to resume them.',
      'Hats and Boots: Meta says “Two-factor authentication required”.',
      'Shoes: Meta says “Campaign has ended”.',
      'SmartPause tries again at 9:47 PM EST, and a few times within about an hour. Then our access is revoked. You can also resume them in Ads Manager. It goes on if you close this.',
    ],
  ],
  [
    'all are refused for good',
    [ended],
    [
      '1 campaign stays paused: Meta refuses to resume it.',
      'Shoes: Meta says “Campaign has ended”.',
      'You can also resume it in Ads Manager. It goes on if you close this.',
    ],
  ],
])('[SET-12, ENG-21] while a user leaves and %s', (_, campaigns, copy) => {
  expect(leaveCopy(campaigns, { now: NOW })).toEqual(copy);
});

test('[SET-12, FR-32] while Meta has suspended our app, nothing else is given as the reason', () => {
  expect(leaveCopy([refused, ended], { now: NOW, suspended: 2 })).toEqual([
    'SmartPause’s own connection to Meta is suspended; your access is fine. 2 campaigns stay paused until it’s back. Then our access is revoked.',
    'You can also resume them in Ads Manager. It goes on if you close this.',
  ]);
  expect(leaveCopy([], { now: NOW, suspended: 0 })).toEqual([
    'We’re still working on it. It goes on if you close this.',
  ]);
});

const SUSPENDED = 'SmartPause’s own connection to Meta is suspended; your access is fine.';
const held = (
  name: string,
  count: number,
  leavingObstacle?: HeldAccount['leavingObstacle'],
): HeldAccount => ({
  ...{ id: name, name, count, leavingObstacle },
});
test.each<[string, Parameters<typeof resumesFirst>, string]>([
  ['nothing is known', [], 'Campaigns paused by SmartPause are resumed first.'],
  ['Meta accepts changes', [{ heldCampaigns: 2 }], 'Campaigns paused by SmartPause are resumed first.'],
  [
    'Meta refuses a resume',
    [{ heldCampaigns: 1, heldAccounts: [held('Lind', 1, 'refused')] }],
    'SmartPause first tries to resume what it paused, for about an hour. What Meta refuses to resume stays paused.',
  ],
  [
    'Meta refused all for good',
    [{ heldCampaigns: 0, heldAccounts: [], notResumed: 1 }],
    '1 campaign stays paused: Meta refused to resume it.',
  ],
  [
    'Meta refuses only pauses',
    [{ heldCampaigns: 0, heldAccounts: [] }],
    'Campaigns paused by SmartPause are resumed first.',
  ],
  [
    'Meta refused some for good, and refuses another',
    [{ heldCampaigns: 1, heldAccounts: [held('Lind', 1, 'refused')], notResumed: 2 }],
    '2 campaigns stay paused: Meta refused to resume them. SmartPause first tries to resume the others, for about an hour. What Meta refuses to resume stays paused.',
  ],
  [
    'Meta rejects the token',
    [{ heldCampaigns: 5, heldAccounts: [held('Lind', 4, 'login'), held('Kids', 1, 'login')] }],
    'Meta no longer accepts our access: 5 campaigns stay paused unless you log in again first.',
  ],
  [
    'an ad account is out of reach',
    [{ heldCampaigns: 5, heldAccounts: [held('Lind', 4, 'access_lost'), held('Kids', 1)] }],
    'You no longer have access to Lind on Meta: 4 campaigns stay paused there. Other campaigns paused by SmartPause are resumed first.',
  ],
  [
    'Meta accepts no change in an ad account',
    [{ heldCampaigns: 1, heldAccounts: [held('Lind', 1, 'blocked')] }],
    'Meta doesn’t accept our changes in Lind: 1 campaign stays paused there.',
  ],
  [
    'Meta refuses our app',
    [{ heldCampaigns: 1, isSuspended: true, heldAccounts: [held('Lind', 1, 'refused')] }],
    `${SUSPENDED} Campaigns paused by SmartPause are resumed once it’s back.`,
  ],
  [
    'Meta refuses our app and rejects the token',
    [{ heldCampaigns: 1, isSuspended: true, heldAccounts: [held('Lind', 1, 'login')] }],
    'Meta no longer accepts our access: 1 campaign stays paused unless you log in again first.',
  ],
  [
    'Meta refuses our app, and nothing is paused',
    [{ heldCampaigns: 0, isSuspended: true }],
    'Campaigns paused by SmartPause are resumed first.',
  ],
])('[SET-12, FR-29, FR-32] what comes before leaving if %s', (_title, given, expected) => {
  expect(resumesFirst(...given)).toBe(expected);
});
