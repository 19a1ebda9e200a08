import { expect, test } from 'vitest';
import type { OutageCampaign } from '#contract/outage-api.ts';
import { outageCsv } from './csv.ts';

test('[HIST-02] each campaign has one line with its times in UTC', () => {
  const shoes: OutageCampaign = {
    id: '1',
    campaignId: '815',
    name: 'Shoes',
    accountId: 'act_1',
    result: 'resumed',
    reason: null,
    detail: null,
    decidedAt: '2026-11-25T02:10:10.000Z',
    sentAt: '2026-11-25T02:10:11.000Z',
    pausedAt: '2026-11-25T02:10:12.000Z',
    resumeSentAt: '2026-11-25T04:08:01.000Z',
    resumedAt: '2026-11-25T04:08:02.000Z',
    endedAt: '2026-11-25T04:08:02.000Z',
  };
  const never = { decidedAt: null, sentAt: null, pausedAt: null };
  const hats: OutageCampaign = {
    ...shoes,
    ...never,
    id: '2',
    campaignId: '816',
    name: 'Hats',
    result: 'not_paused',
    reason: 'already_paused',
    resumeSentAt: null,
    resumedAt: null,
    endedAt: null,
  };
  const csv = outageCsv({
    matchedAt: '2026-11-25T02:10:08.000Z',
    accounts: [{ id: 'act_1', name: 'Lind' }],
    campaigns: [shoes, hats],
  });
  expect(csv.split('\r\n').slice(1)).toEqual([
    'Shoes,"=""815""",Lind,act_1,Resumed,,2026-11-25T02:10:08.000Z,2026-11-25T02:10:10.000Z,2026-11-25T02:10:11.000Z,2026-11-25T02:10:12.000Z,2026-11-25T04:08:01.000Z,2026-11-25T04:08:02.000Z,2026-11-25T04:08:02.000Z',
    'Hats,"=""816""",Lind,act_1,Already paused,It was already paused before the outage.,,,,,,,',
    '',
  ]);
});
