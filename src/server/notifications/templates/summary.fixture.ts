import type { Summary } from '#core/monthly-summary.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { NOTHING } from '#core/spend/estimate.ts';
import { hours } from '#core/time.ts';
import { at, later, paused } from '../../../../test/support/email-facts.ts';
import type { Facts } from '../facts.ts';

const NO_OUTAGE: Summary = {
  ...{ month: '2026-01', threshold: 'MEDIUM', since: null, outages: [], pausedMs: 0, milder: [], sums: [] },
  reads: { count: 259_140, since: Date.parse('2026-01-01T05:00:03Z') },
  running: { all: 42, protected: 36 },
};
const summarized = (over: Partial<Summary>): Partial<Facts> => ({
  acts: [
    { ...paused, campaignId: '', happened: { event: 'month_summarized', facts: { ...NO_OUTAGE, ...over } } },
  ],
});

export const SUMMARIES: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    '[SPEND-05] a month with outages, of which one was not paused in',
    'monthly_summary',
    summarized({
      pausedMs: hours(23),
      outages: [
        {
          ...{ startedAt: at, endedAt: later, paused: 12, keptRunning: 6, reason: null },
          kept: [{ currency: 'EUR', low: 21_000, likely: 34_000, high: 46_000 }],
        },
        { startedAt: later, endedAt: null, paused: 0, keptRunning: 0, reason: 'no_subscription', kept: [] },
      ],
      sums: [
        {
          ...{ currency: 'EUR', outages: 2, unknown: 1 },
          kept: { low: 21_000, likely: 34_000, high: 46_000 },
          protected: { low: 6000, likely: 22_000, high: 46_000 },
        },
        { currency: 'USD', outages: 1, unknown: 1, kept: NOTHING, protected: NOTHING },
      ],
    }),
    [
      'January 2026: SmartPause paused campaigns in 1 of 2 outages, about €340 kept\n',
      '\n\nPauses of campaigns: 12\nPaused, all campaigns together: 23 h\nKept, estimated: about €340 (between €210 and €460), without 1 outage not known\nProtected from waste, estimated: about €220 (between €60 and €460), without 1 outage not known\nKept, estimated: not known in USD\n\n2 outages:\n',
      '- Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC), 1 h 58 min: 12 campaigns paused · 6 ran on · about €340 kept (between €210 and €460)\n',
      ', still ongoing: Nothing was paused: you had no active subscription\n',
      'Protected now: 36 of 42 running campaigns. An outage doesn’t pause the other 6.\n',
      'because the monthly summary is on',
    ],
    ['can’t be turned off', 'Protected from waste, estimated: not known', 'Outages'],
  ],
  [
    '[SPEND-07] a month without an outage',
    'monthly_summary',
    summarized({ milder: ['LOW_DISRUPTION', 'LOW_DISRUPTION'], running: { all: 42, protected: 42 } }),
    [
      'January 2026: no outage met your threshold\n',
      'No outage that began in January 2026 met your threshold (medium), so there was nothing to pause.\n\nMeta reported 2 disruptions below it, at worst a low disruption.\n\nWe read Meta’s status page 259,140 times in January 2026.\n\nProtected now: all 42 running campaigns.\n',
    ],
    ['estimated', 'See what happened'],
  ],
  [
    '[SPEND-07] a month that was counted in part, and campaigns that are not known',
    'monthly_summary',
    summarized({
      ...{ threshold: null, since: at, milder: ['LOW_DISRUPTION'], running: null },
      reads: { count: 1, since: at },
    }),
    [
      'No outage that began from Jan 8 on met your threshold, so',
      'Meta reported 1 disruption below it',
      'We read Meta’s status page 1 time since Jan 8.\n',
    ],
    ['Protected now'],
  ],
];
