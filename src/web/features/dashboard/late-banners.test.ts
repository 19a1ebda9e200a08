import { expect, test } from 'vitest';
import type { Given } from './banner-list.fixture.ts';
import { SOON, TWO, UP, at, covers, kids, matched, outdoor, quiet, told } from './banner-list.fixture.ts';

const DOWN = 'outage red: Meta Ads Delivery is down · since 9:18 PM EST · 12 min';

test.each<[string, Given, string[]]>([
  [
    'a late resume, which waits for our own limit, beside an ad account in debt',
    {
      status: UP,
      user: {
        ...{ ...quiet(covers({ off: 1 })), heldCampaigns: 3, resumeAt: at(2) },
        heldAccounts: [
          { ...outdoor, delayedBy: 'app_limit' },
          { ...kids, delayedBy: 'app_limit', deliversNothing: true },
        ],
      },
    },
    [
      'resume blue: Resuming 3 campaigns, waits for SmartPause’s own limit at Meta | SmartPause Resume Scheduled | SmartPause’s own limit at Meta is reached, so we continue when Meta allows it. | 3 campaigns in Lind Outdoor and Lind Kids. [show_held, See what happened]',
      'protection yellow: 2 of 3 campaigns are protected | The other one would keep spending in an outage: €10/day. [Protect it]',
    ],
  ],
  [
    'a late resume that nothing delays',
    { status: UP, user: { ...quiet(covers({})), ...TWO, resumeAt: at(2) } },
    [
      'resume blue: Resuming 2 campaigns now | SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor, resuming now. [show_held, See what happened, resume_now]',
      expect.stringMatching(/^protection green/),
    ],
  ],
  [
    'SmartPause’s own app is suspended before a resume is due',
    { status: UP, user: { ...quiet(), ...TWO, resumeAt: SOON, isSuspended: true } },
    [
      expect.stringMatching(/^suspended red/),
      'resume blue: 2 campaigns resume at 9:47 PM EST · in 17 min | SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor. [show_held, See what happened]',
      expect.stringMatching(/^protection/),
    ],
  ],
  [
    'one more of two is being paused',
    {
      user: {
        ...{ ...matched(covers({ on: 1, off: 1 })), ...TWO, notYetPaused: { count: 1, because: null } },
      },
    },
    [
      `${DOWN} | 2 paused in Lind Outdoor | 1 still running €10/day | Resume as soon as the outage ends [Pause it too]`,
      expect.stringContaining('2 campaigns paused in 1 account. | Pausing 1 more. [show_held, '),
    ],
  ],
])('[UX-05, UX-18, FR-31, FR-32] %s', (_case, given, banners) => {
  expect(told(given)).toEqual(banners);
});
