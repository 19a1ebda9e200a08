import { expect, test } from 'vitest';
import {
  FACTS,
  at,
  ended,
  later,
  many,
  paused,
  publicUrl,
  runs,
} from '../../../../test/support/email-facts.ts';
import type { Facts } from '../facts.ts';
import { render } from '../render.ts';
import { paused as compose } from './campaigns.ts';

test.each<[string, Partial<Facts>, string[], string[]?]>([
  [
    'a pause of many: one time, the exception at its campaign, the others as a number with a link',
    { acts: [...many, { ...paused, campaignId: '99', name: 'Shoes 0', at: later }] },
    [
      '(14 campaigns):\nJan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)\n- Shoes 0: Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC)\n- Shoes 1\n',
      `- Shoes 9\n- and 4 more: ${publicUrl}/activity/12\n`,
    ],
    ['Shoes 10'],
  ],
  [
    '[UX-19] what still runs, by currency',
    { running: [runs, { ...runs, currency: 'JPY', count: 1, pausable: 0, unknownBudgets: 0 }] },
    [
      '6 campaigns still run without SmartPause, with daily budgets of at least €710.00 and ¥71,000 (2 budgets unknown).',
      `Pause 5 too: ${publicUrl}\n`,
    ],
  ],
  [
    'one runs, and its budget is unknown',
    { running: [{ ...runs, count: 1, pausable: 1, dailyBudget: 0, unknownBudgets: 1 }] },
    ['1 campaign still runs without SmartPause (1 budget unknown).', 'Pause it too: '],
  ],
  [
    'the threshold is no longer met, so that what runs may run',
    { running: [runs], status: { ...ended, matchSince: { LOW: at, MEDIUM: at, HIGH: at } } },
    [],
    ['without SmartPause'],
  ],
])('[ENG-13] the email of a pause: %s', (_title, over, wanted, unwanted = []) => {
  const { text } = render(compose({ ...FACTS, ...over }), publicUrl);
  for (const words of wanted) expect(text).toContain(words);
  for (const words of unwanted) expect(text).not.toContain(words);
});
