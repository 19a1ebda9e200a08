import { describe, expect, test } from 'vitest';
import type { Activity } from '../invariants/activity-log.ts';
import type { HoldRow } from '../invariants/snapshot.ts';
import type { Kind, Write, WriteLogGiven } from '../invariants/write-log.ts';
import { checkWriteLog } from '../invariants/write-log.ts';

const START = Date.parse('2026-01-09T02:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

function write(seconds: number, status: 'PAUSED' | 'ACTIVE', by: 'us' | 'outside' = 'us'): Write {
  const previous = status === 'PAUSED' ? 'ACTIVE' : 'PAUSED';
  return { at: at(seconds), campaign: '1', status, previous, token_user: by === 'us' ? '7' : null };
}

function activity(id: number, event: string, mail = event): Activity {
  const about = { hold_id: '1', user_id: '1', account_id: 'act_1', campaign_id: '1', is_unknown: false };
  return { id: String(id), event, at: new Date(at(10 + id)), notification_id: mail, ...about };
}

const HOLD: HoldRow = {
  ...{
    id: 1,
    user_id: 1,
    account_id: 'act_1',
    campaign_id: '1',
    state: 'ended',
    outcome: 'resumed',
    reason: null,
  },
  ...{
    attempt: 1,
    release: null,
    sent_at: null,
    suspected_since: null,
    test_until: null,
    began_as_test: false,
    resumed_at: null,
  },
  ...{ created_at: at(11), paused_at: at(12), ended_at: at(32) },
};

/** One outage from second 10 to second 30: paused, resumed, logged. */
function good(kind: Kind = 'watched'): WriteLogGiven {
  return {
    campaigns: [{ id: '1', name: 'Spring Sale', kind, watchers: [{ threshold: 'MEDIUM', delayMs: 0 }] }],
    writes: [write(12, 'PAUSED'), write(31, 'ACTIVE')],
    finalStatus: new Map([['1', 'ACTIVE']]),
    holds: [HOLD],
    activities: [activity(1, 'paused'), activity(20, 'resumed')],
    statusChanges: [
      { level: 'HIGH_DISRUPTION', at: START + 10_000, knownAt: START + 11_500 },
      { level: 'UP', at: START + 30_000, knownAt: START + 30_500 },
    ],
    calls: [],
  };
}

describe("Meta's write log", () => {
  test('reports nothing for a correct run', () => {
    expect(checkWriteLog(good())).toEqual([]);
  });

  test.each<[string, WriteLogGiven, RegExp]>([
    ['a campaign touched that is off', good('off'), /touched/],
    ['a change of an unknown campaign', { ...good(), campaigns: [] }, /touched 1/],
    [
      'a resume of what was paused outside',
      { ...good(), writes: [write(12, 'PAUSED', 'outside'), write(31, 'ACTIVE')] },
      /paused outside SmartPause/,
    ],
    [
      'a resume during the outage',
      { ...good(), writes: [write(12, 'PAUSED'), write(20, 'ACTIVE')] },
      /ACTIVE at .* against the status/,
    ],
    [
      'a pause before the outage',
      {
        ...good(),
        holds: [{ ...HOLD, created_at: at(5) }],
        writes: [write(6, 'PAUSED'), write(31, 'ACTIVE')],
      },
      /PAUSED at .* against the status/,
    ],
    ['a campaign left paused', { ...good(), finalStatus: new Map([['1', 'PAUSED']]) }, /is left PAUSED/],
    ['a hold that does not end', { ...good(), holds: [{ ...HOLD, ended_at: null }] }, /still held/],
    ['two holds at a time', { ...good(), holds: [HOLD, { ...HOLD, created_at: at(13) }] }, /held twice/],
    [
      'a pause without an activity',
      { ...good(), activities: [activity(20, 'resumed')] },
      /1 times PAUSED, 0/,
    ],
    [
      'a manual act without an activity',
      { ...good('manual'), calls: [{ campaign: '1', status: 200 }] },
      /0 manual acts/,
    ],
  ])('reports %s', (_title, given, complaint) => {
    expect(checkWriteLog(given).join('\n')).toMatch(complaint);
  });
});
