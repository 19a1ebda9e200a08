import { describe, expect, test } from 'vitest';
import type { ActivityEvent } from './events.ts';
import {
  EVENT_NAMES,
  adminKindOf,
  dedupeKeyOf,
  emailOf,
  historyKindOf,
  notificationAbout,
  readEvent,
  wordsOf,
} from './events.ts';
import { RELEASE_REASONS } from './reconciler/hold.ts';
import type { EndReason } from './smartpause/release-labels.ts';

const MATCH = { level: 'HIGH_DISRUPTION', threshold: 'LOW' } as const;
const ended = (event: 'released' | 'refused' | 'deactivated', reason: EndReason): ActivityEvent => ({
  event,
  facts: { reason, refusal: null, outside: null, wasPaused: true },
});

describe('[ENG-13] the notification that reports an event', () => {
  test.each<[ActivityEvent, string | null]>([
    [{ event: 'paused', facts: { ...MATCH, isOverride: false, wasTest: false } }, 'paused'],
    [{ event: 'resumed', facts: { ...MATCH, isLeaving: false } }, 'resumed'],
    [ended('deactivated', 'resumed_outside'), 'disabled'],
    [ended('released', 'already_active'), 'resumed'],
    [ended('released', 'smartpause_off'), null],
    [ended('refused', 'resume_refused'), 'resumed'],
    [ended('refused', 'pause_refused'), 'paused'],
    [{ event: 'retrying', facts: { act: 'pause', refusal: null } }, 'paused'],
    [{ event: 'not_restored', facts: { act: 'pause', refusal: null } }, 'resumed'],
    [{ event: 'taken_over', facts: { isTest: false } }, 'paused'],
    [{ event: 'taken_over', facts: { isTest: true } }, 'live_test'],
    [{ event: 'login', facts: { name: 'Maya' } }, null],
    [{ event: 'smartpause', facts: { isOn: true } }, null],
  ])('%j: %s', (event, kind) => {
    expect(notificationAbout(event)).toBe(kind);
  });

  test('every release reason is notified, except the user’s own actions', () => {
    const unreported = RELEASE_REASONS.filter(
      (reason) => notificationAbout(ended('released', reason)) === null,
    );
    expect(unreported).toEqual(['smartpause_off', 'manual_pause']);
  });
});

test('each event that emails about resumes report is in one of their lists', () => {
  const FACTS = { ...MATCH, ...{ isLeaving: false, act: 'resume', reason: 'ended', until: null } };
  const all = EVENT_NAMES.flatMap(
    (event) => readEvent(event, { ...FACTS, refusal: null, outside: null, wasPaused: true }) ?? [],
  );
  const reported = all.filter((event) => ['resumed', 'disabled'].includes(notificationAbout(event) ?? ''));
  expect(reported.length).toBeGreaterThan(6);
  for (const event of reported) expect(emailOf(event)).toBeDefined();
});

test('an event of another version is not understood, and is shown in its stored words', () => {
  const turnedOn = { event: 'smartpause', facts: { isOn: true } };
  expect(readEvent('smartpause', { isOn: true, since: 5 })).toEqual(turnedOn);
  for (const event of ['smartpause', 'toString', 'paused_elsewhere']) expect(readEvent(event, {})).toBeNull();
  expect([historyKindOf(null), adminKindOf(null)]).toEqual(['other', { type: 'other' }]);
});

test('some events happen once for each of what they are about', () => {
  const charged = { event: 'payment_refunded', facts: { name: 'Maya', chargeId: 'ch_1' } } as const;
  expect(dedupeKeyOf(charged)).toBe('ch_1');
  expect(dedupeKeyOf({ event: 'token_stale', facts: { savedAt: 5 } })).toBe('token 5');
  expect(dedupeKeyOf({ event: 'initialized', facts: {} })).toBeNull();
});

test.each<[string[], string]>([
  [
    ['threshold low (was medium)', 'new email address'],
    'were changed: threshold low (was medium), new email address.',
  ],
  [[], 'were saved without a change.'],
])('[HIST-03] an activity names the changed settings: %j', (changes, ending) => {
  const { message } = wordsOf({ event: 'settings', facts: { changes } });
  expect(message).toBe(`SmartPause settings ${ending}`);
});

test('[ADMIN-02] the admin’s list says what another activity is about', () => {
  const kinds = [ended('released', 'ended'), ended('released', 'resumed_now')].map(adminKindOf);
  expect(kinds).toEqual([{ type: 'other', kind: 'Released' }, { type: 'resume' }]);
  expect(adminKindOf({ event: 'taken_back', facts: { act: 'pause' } })).toEqual({ type: 'pause' });
});
