import { describe, expect, test } from 'vitest';
import type { Activity } from '../invariants/activity-log.ts';
import { checkActivityLog } from '../invariants/activity-log.ts';
import { checkMailbox } from '../invariants/mailbox.ts';
import { secretsIn } from '../invariants/secrets.ts';
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
    externalChanges: [],
    calls: [],
  };
}

describe("Meta's write log", () => {
  test('reports nothing for a correct run', () => {
    expect(checkWriteLog(good())).toEqual([]);
  });

  const off = { campaign: '1', what: 'off', askedAt: START, answeredAt: START + 100, status: 200 } as const;
  test.each<[string, WriteLogGiven, RegExp]>([
    ['a campaign touched that is off', good('off'), /touched/],
    ['a change of an unknown campaign', { ...good(), campaigns: [] }, /touched 1/],
    [
      'a resume of what was paused outside',
      { ...good(), writes: [write(12, 'PAUSED', 'outside'), write(31, 'ACTIVE')] },
      /paused outside SmartPause/,
    ],
    [
      'an external change overruled',
      { ...good(), externalChanges: [{ campaign: '1', status: 'PAUSED', at: START + 5000, until: null }] },
      /set PAUSED outside SmartPause, and/,
    ],
    ['a hold while SmartPause is off', { ...good(), calls: [off] }, /while it was off/],
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
      { ...good('manual'), calls: [{ ...off, what: 'pause' }] },
      /0 manual acts/,
    ],
  ])('reports %s', (_title, given, complaint) => {
    expect(checkWriteLog(given).join('\n')).toMatch(complaint);
  });
});

describe('the activity log', () => {
  const given = {
    activities: [activity(1, 'paused'), activity(20, 'resumed')],
    holds: [HOLD],
    changes: new Map([[1, ['PAUSED', 'ACTIVE']]]),
    users: [{ id: 1 }],
  };
  test.each([
    ['nothing wrong where nothing is', given, ''],
    ['an event twice', { ...given, activities: [...given.activities, activity(2, 'paused')] }, '2 times'],
    ['no pause', { ...given, activities: given.activities.slice(1) }, 'the pause of hold 1 is not'],
    ['no end', { ...given, activities: given.activities.slice(0, 1) }, 'the end of hold 1'],
  ])('reports %s', (_title, spoiled, complaint) => {
    expect(checkActivityLog(spoiled).join('\n')).toContain(complaint);
    if (complaint === '') expect(checkActivityLog(spoiled)).toEqual([]);
  });
});

describe('the mailbox', () => {
  const mail = (event: string, verb: string, id = event, name = 'Spring Sale') => ({
    messageId: `<smartpause.${event}.${id}@example.com>`,
    to: 'ann@example.com',
    text: `${verb} in Account 1 (1 campaign):\n- ${name}: then\n`,
  });
  const given = {
    outbox: ['paused', 'resumed'].map((id) => ({ id, kind: id, sent_at: new Date(START) })),
    activities: [activity(1, 'paused'), activity(20, 'resumed')],
    holds: [HOLD],
    received: [mail('paused', 'Paused'), mail('resumed', 'Resumed')],
    users: [{ id: 1, email: 'ann@example.com' as string | null }],
    nameOf: () => 'Spring Sale',
    accountNameOf: () => 'Account 1',
  };
  const [paused, resumed] = given.received;
  test.each([
    ['nothing wrong where nothing is', given, ''],
    [
      'nothing wrong when a mail arrives twice',
      { ...given, received: [...given.received, ...given.received] },
      '',
    ],
    [
      'a mail in two wordings',
      { ...given, received: [...given.received, mail('paused', 'Held')] },
      'two wordings',
    ],
    [
      'a mail under two names',
      { ...given, received: [...given.received, mail('paused', 'Paused', 'b')] },
      '2 Message-IDs',
    ],
    [
      'a mail that was not sent',
      { ...given, outbox: [{ id: 'paused', kind: 'paused', sent_at: null }] },
      'never sent',
    ],
    ['an event in no mail', { ...given, received: [resumed].flatMap((one) => one ?? []) }, 'in no mail'],
    [
      'an event in a mail to another',
      { ...given, users: [{ id: 1, email: 'bob@example.com' }] },
      'not to bob',
    ],
    [
      'a mail that lists what is not its own',
      {
        ...given,
        received: [paused, resumed]
          .map((one, n) => (n === 0 ? mail('paused', 'Resumed') : one))
          .flatMap((one) => one ?? []),
      },
      'reports 1 campaigns as resumed',
    ],
  ])('reports %s', (_title, spoiled, complaint) => {
    const wrong = checkMailbox(spoiled);
    if (complaint === '') expect(wrong).toEqual([]);
    expect(wrong.join('\n')).toContain(complaint);
  });
});

test('secrets are found anywhere, unless the client sent them', () => {
  expect(secretsIn('psst: hush-hush', ['hush-hush'])).toEqual(['hush-h…']);
  expect(secretsIn('token EAABabcdefgh1234', [])).toEqual(['EAABab…']);
  expect(secretsIn('psst: hush-hush', ['hush-hush'], 'I said hush-hush')).toEqual([]);
});
