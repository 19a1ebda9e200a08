import { describe, expect, test } from 'vitest';
import type { ResumedCampaigns } from './rest-of-day.ts';
import { restOfDay, restOfDayCopy } from './rest-of-day.ts';

const AT = Date.parse('2026-01-09T15:00:00Z');
const BERLIN_MIDNIGHT = Date.parse('2026-01-08T23:01:00Z');
const one = { count: 2, budget: 40_000, unknownBudgets: 0, currency: 'EUR', timeZone: 'Europe/Berlin' };

type Given = Omit<ResumedCampaigns, 'at'> & { at?: number };
const copyOf = (resumed: readonly Given[], at: number) =>
  restOfDayCopy(restOfDay(resumed.map((one) => ({ at, ...one }))));

describe('[SPEND-06] what may still be spent on the day of a resume', () => {
  test.each<[string, Given[], number, string | null]>([
    ['175 % of the budgets', [one], AT, 'up to €700 may be spent until midnight (ad account’s time).'],
    [
      'by currency',
      [one, { ...one, currency: 'USD' }],
      AT,
      'up to €700 and $700 may be spent until midnight (ad account’s time).',
    ],
    [
      'without the unknown ones',
      [{ ...one, unknownBudgets: 1 }],
      AT,
      'up to €700 may be spent until midnight (ad account’s time), plus 1 unknown budget.',
    ],
    [
      'without a known time zone',
      [{ ...one, timeZone: undefined }],
      BERLIN_MIDNIGHT,
      'up to €700 may be spent',
    ],
    ['nothing more on a new day', [one], BERLIN_MIDNIGHT, null],
    [
      'only of the ad accounts in which no day begins',
      [one, { ...one, currency: 'USD', timeZone: 'Asia/Tokyo' }],
      BERLIN_MIDNIGHT,
      'up to $700 may be spent',
    ],
    [
      'each ad account at its own resume',
      [
        one,
        { ...one, currency: 'USD', timeZone: 'America/Los_Angeles', at: Date.parse('2026-01-09T08:01:00Z') },
      ],
      AT,
      'up to €700 may be spent until',
    ],
    ['in a zone that an old browser does not know', [{ ...one, timeZone: 'Mars/Olympus' }], AT, 'up to €700'],
    ['no budget known', [{ ...one, budget: 0, unknownBudgets: 2 }], AT, null],
    ['no campaign', [], AT, null],
  ])('%s', (_title, resumed, at, words) => {
    if (words === null) expect(copyOf(resumed, at)).toBeNull();
    else expect(copyOf(resumed, at)).toContain(`Meta catches up within the day: ${words}`);
  });
});
