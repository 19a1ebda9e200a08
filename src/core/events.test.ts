import { describe, expect, test } from 'vitest';
import type { ActivityEvent } from './events.ts';
import { EVENT_NAMES, describeEvent, kindsOf, readEvent, wordsForUser } from './events.ts';
import { RELEASE_REASONS } from './reconciler/hold.ts';
import type { EndReason } from './outages/release-labels.ts';

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
    [{ event: 'still_paused', facts: { since: 0, dueAt: 0 } }, 'reminder'],
    [{ event: 'login', facts: { name: 'Maya' } }, null],
    [{ event: 'smartpause', facts: { isOn: true } }, null],
  ])('%j: %s', (event, kind) => {
    expect(describeEvent(event).notification).toBe(kind);
  });

  test('every release reason is notified, except the user’s own actions', () => {
    const unreported = RELEASE_REASONS.filter(
      (reason) => describeEvent(ended('released', reason)).notification === null,
    );
    expect(unreported).toEqual(['smartpause_off', 'manual_pause']);
  });
});

test('each event that emails about resumes report is in one of their lists', () => {
  const FACTS = { ...MATCH, ...{ isLeaving: false, act: 'resume', reason: 'ended', until: null } };
  const all = EVENT_NAMES.flatMap(
    (event) => readEvent(event, { ...FACTS, refusal: null, outside: null, wasPaused: true }) ?? [],
  );
  const reported = all.filter((event) =>
    ['resumed', 'disabled'].includes(describeEvent(event).notification ?? ''),
  );
  expect(reported.length).toBeGreaterThan(6);
  for (const event of reported) expect(describeEvent(event).email).toBeDefined();
});

test.each<[string, object, string]>([
  ['signup', {}, 'You signed up.'],
  ['manual_pause', {}, 'You paused {campaigns}'],
  ['live_test', {}, 'Test: you started a live test of {campaigns}'],
  [
    'subscription',
    { plan: 'monthly', status: 'trialing' },
    'Your monthly subscription is on its free trial.',
  ],
  ['session_replaced', {}, 'An earlier session of yours in the same browser was ended.'],
  ['subscription_granted', { years: 2 }, 'You granted yourself a subscription of 2 years.'],
  ['subscription_cleared', {}, 'You cleared your own subscription.'],
  ['role_grant', { role: 'developers' }, 'You were given the role developers.'],
  ['role_revoke', { role: 'developers' }, 'You have lost the role developers.'],
])('[HIST-04] the user reads of %s with %j as their own act', (event, facts, message) => {
  const stored = { message: 'Mia did it', detail: 'why' };
  expect(wordsForUser(event, { name: 'Mia was', ...facts }, stored)).toEqual({ message, detail: 'why' });
});

test.each([
  ['an event without a name', 'manual_resume', { name: null }],
  ['an event of another version', 'paused_elsewhere', { name: 'Mia' }],
])('[HIST-04] the user reads the stored words of %s', (_title, event, facts) => {
  const stored = { message: 'Paused it', detail: null };
  expect(wordsForUser(event, facts, stored)).toBe(stored);
});

test('an event of another version is not understood, and is shown in its stored words', () => {
  const turnedOn = { event: 'smartpause', facts: { isOn: true } };
  expect(readEvent('smartpause', { isOn: true, since: 5 })).toEqual(turnedOn);
  for (const event of ['smartpause', 'toString', 'paused_elsewhere']) expect(readEvent(event, {})).toBeNull();
  expect(kindsOf('paused_elsewhere', {})).toEqual({ type: 'other', kind: 'other' });
});

test('some events happen once for each of what they are about', () => {
  const charged = { event: 'payment_refunded', facts: { name: 'Maya', chargeId: 'ch_1' } } as const;
  expect(describeEvent(charged).dedupeKey).toBe('ch_1');
  expect(describeEvent({ event: 'token_stale', facts: { savedAt: 5 } }).dedupeKey).toBe('token 5');
  expect(describeEvent({ event: 'initialized', facts: { name: 'Maya' } }).dedupeKey).toBeNull();
});

test.each<[string[], string]>([
  [
    ['threshold low (was medium)', 'new email address'],
    'were changed: threshold low (was medium), new email address.',
  ],
  [[], 'were saved without a change.'],
])('[HIST-03] an activity names the changed settings: %j', (changes, ending) => {
  const { message } = describeEvent({ event: 'settings', facts: { changes } });
  expect(message).toBe(`SmartPause settings ${ending}`);
});

test('[ADMIN-02] the admin’s list says what another activity is about', () => {
  expect(describeEvent(ended('released', 'ended'))).toMatchObject({ type: 'other', topic: 'Released' });
  expect(describeEvent(ended('released', 'resumed_now')).type).toBe('resume');
  expect(describeEvent({ event: 'taken_back', facts: { act: 'pause' } }).type).toBe('pause');
});
