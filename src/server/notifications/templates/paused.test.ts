import { expect, test } from 'vitest';
import { NO_SPEND } from '#core/coverage.ts';
import {
  FACTS,
  at,
  denied,
  ended,
  later,
  many,
  paused,
  publicUrl,
  refused,
  retrying,
  runs,
} from '../../../../test/support/email-facts.ts';
import type { Facts } from '../facts.ts';
import { render } from '../render.ts';
import { paused as compose } from './campaigns.ts';

const known = { count: 1, budget: 71_000, unknownBudgets: 0 };

test.each<[string, Partial<Facts>, string[], string[]?]>([
  [
    'a pause of many: one time, the exception at its campaign, the others as a number with a link',
    { acts: [...many, { ...paused, campaignId: '99', name: 'Shoes 0', at: later }] },
    [
      '(14 campaigns):\n9:10 PM EST\n- Shoes 0: 11:08 PM EST\n- Shoes 1\n',
      `- Shoes 9\n- and 4 more: ${publicUrl}/activity/12\n`,
    ],
    ['Shoes 10'],
  ],
  [
    '[UX-19] what still runs, by currency',
    { coverage: [runs, { ...runs, currency: 'JPY', open: NO_SPEND, blocked: known }] },
    [
      '6 campaigns still run (at least €710/day and ¥71,000/day, 2 budgets unknown). Meta doesn’t let SmartPause pause 1 of them.',
      `Pause 5 too: ${publicUrl}\n`,
    ],
  ],
  [
    'one runs, and its budget is unknown',
    { coverage: [{ ...runs, open: { count: 1, budget: 0, unknownBudgets: 1 } }] },
    ['1 campaign still runs (1 budget unknown).\n', 'Pause it too: '],
  ],
  [
    'one runs that cannot be paused, one is left on as asked, and one is being checked',
    { coverage: [{ ...runs, open: NO_SPEND, blocked: known, resumed: known, checking: known }] },
    ['1 campaign still runs (€710/day). Meta doesn’t let SmartPause pause it.'],
    ['too: '],
  ],
  [
    'the resume of one of two is already asked for',
    { acts: [paused, { ...paused, campaignId: '2', isHeld: false, isResumeAsked: true }] },
    ['SmartPause resumes the 1 campaign still paused', '<Sale>: being resumed with “Resume now”'],
    ['exactly'],
  ],
  [
    'Meta denies access to it, so that the button would fail',
    { acts: [denied] },
    ['Log in to SmartPause again'],
    ['press Resume now'],
  ],
  [
    'one refused pause is tried again, the other is not: each with the words of its refusal',
    { acts: [{ ...refused, campaignId: '9', happened: retrying('pause') }, refused] },
    [
      'Meta refused to pause 1 campaign. It keeps running and spending until Meta accepts the pause.\n\nMeta refused to pause 1 campaign. SmartPause does not try again in this disruption. Check it in Ads Manager.\n\nSmartPause tries again',
      'press Retry now in SmartPause',
      'Meta refused the change: Two-factor required\n',
    ],
    ['Meta says'],
  ],
  [
    'the threshold is no longer met, so that what runs may run',
    { coverage: [runs], status: { ...ended, matchSince: { LOW: at, MEDIUM: at, HIGH: at } } },
    [],
    ['still run'],
  ],
])('[ENG-13] the email of a pause: %s', (_title, over, wanted, unwanted = []) => {
  const { text } = render(compose({ ...FACTS, ...over }), publicUrl);
  for (const words of wanted) expect(text).toContain(words);
  for (const words of unwanted) expect(text).not.toContain(words);
});
