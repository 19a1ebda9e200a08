import { expect, test } from 'vitest';
import type { OutageCampaign } from '#contract/outage-api.ts';
import { stepsOf } from './campaign-steps.ts';

const DETECTED = '2026-11-25T02:10:00.000Z';
const after = (seconds: number) => new Date(Date.parse(DETECTED) + seconds * 1000).toISOString();
const campaign: OutageCampaign = {
  ...{
    id: 'h1',
    campaignId: '1',
    name: 'Shoes',
    accountId: 'act_1',
    result: 'resumed',
    reason: null,
    detail: null,
  },
  ...{ decidedAt: after(1), sentAt: after(1), pausedAt: after(2) },
  ...{ resumeSentAt: after(600), resumedAt: after(601), endedAt: after(601) },
};

test('[HIST-02] each step has its delay since the detection', () => {
  const steps = stepsOf(campaign, DETECTED);
  expect(steps.map(({ label }) => label).join(', ')).toBe(
    'Detected, Decided, Pause sent, Paused, Resume sent, Resumed',
  );
  expect(steps.map(({ delay }) => delay)).toEqual([null, '+1 s', '+1 s', '+2 s', '+10 min', '+10 min 1 s']);
});

test('[HIST-02] a campaign that was not resumed has no time of a resume', () => {
  const steps = stepsOf({ ...campaign, result: 'not_resumed', reason: 'smartpause_off' }, DETECTED);
  expect(steps.at(-1)).toEqual({ label: 'Resumed', at: null, delay: null });
});
