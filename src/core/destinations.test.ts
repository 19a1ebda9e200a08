import { describe, expect, test } from 'vitest';
import type { ReportedEvent } from './destination-events.ts';
import type { IncidentState } from './destinations.ts';
import {
  CHOICES,
  DESTINATION_EVENTS,
  OFFERED_EVENTS,
  eventsOf,
  possibleEvents,
} from './destination-events.ts';
import {
  SPARED_BY_QUIET,
  endsIncident,
  incidentSaid,
  isIncidentOver,
  isOfOutage,
  isWanted,
  signingSecrets,
  usualEvents,
  withNewSecret,
} from './destinations.ts';
import { hours } from './time.ts';

const at = Date.parse('2026-01-09T02:10:00Z');

describe('[CHAN-07] which events a notification is', () => {
  const of = (list: 'Resumed' | 'Not resumed yet' | 'Already running', isTurnedOff = false) => ({
    ...{ list, isTurnedOff },
  });
  test.each([
    ['paused', [], ['paused']],
    ['resumed', [of('Resumed'), of('Resumed')], ['resumed']],
    ['resumed', [of('Not resumed yet')], ['not_resumed']],
    ['resumed', [of('Resumed'), of('Not resumed yet')], ['resumed', 'not_resumed']],
    ['resumed', [of('Already running', true), of('Already running')], ['turned_off_outside', 'resumed']],
    ['disabled', [of('Already running', true)], ['turned_off_outside']],
    ['live_test', [], []],
    ['deleted', [of('Resumed')], []],
    ['destination_disabled', [], ['channel_disabled']],
  ] as const)('%s with %j: %j', (kind, campaigns, expected) => {
    expect(eventsOf(kind, campaigns)).toEqual(expected);
  });
});

test('[CHAN-07] each choice has a notification of this version, and says in one line what it covers', () => {
  expect(OFFERED_EVENTS).toHaveLength(8);
  expect(possibleEvents('resumed')).toEqual(['resumed', 'not_resumed']);
  for (const event of DESTINATION_EVENTS) {
    const { covers } = CHOICES[event];
    expect(covers).toMatch(/^[^.]+\.$/);
    expect(covers.split(' ').length).toBeLessThanOrEqual(18);
  }
});

describe('[CHAN-07] a destination gets a notification', () => {
  const destination: Parameters<typeof isWanted>[0] = {
    ...{ kind: 'slack', events: ['paused', 'not_resumed'], state: 'on' },
    ...{ verifiedAt: null, quietUntil: null },
  };
  test.each<[string, Partial<typeof destination>, boolean]>([
    ['that it wants', {}, true],
    ['unless it wants others', { events: ['resumed'] }, false],
    ['unless its user has switched it off', { state: 'off' }, false],
    ['unless it is disabled', { state: 'disabled' }, false],
    ['unless it is quiet', { quietUntil: at + 1 }, false],
    ['once it is quiet no longer', { quietUntil: at }, true],
    ['unless its address is not confirmed', { kind: 'email' }, false],
    ['once its address is confirmed', { kind: 'email', verifiedAt: at - 1 }, true],
  ])('%s', (_title, over, expected) => {
    expect(isWanted({ ...destination, ...over }, { events: ['turned_off_outside', 'not_resumed'] }, at)).toBe(
      expected,
    );
  });

  test('whose quiet time begins, also if it waits, only if every destination gets it', () => {
    const spared = ['address_refused', 'confirm_address', 'destination_disabled'];
    expect(SPARED_BY_QUIET.toSorted()).toEqual(spared);
  });

  test.each(['address_refused', 'channel_disabled'] as const)(
    'about %s, whatever it wants, unless it is off',
    (event) => {
      const quiet = { ...destination, events: ['paused' as const], quietUntil: at + 1 };
      expect(isWanted(quiet, { events: [event] }, at)).toBe(true);
      expect(isWanted({ ...quiet, state: 'disabled' }, { events: [event] }, at)).toBe(false);
    },
  );
});

test('[CHAN-07] pauses of no outage and their end are one incident, and an early warning is another', () => {
  const said = (events: ReportedEvent[]) => incidentSaid({ events, outage: null, isOver: true });
  expect(said(['paused'])).toEqual({ about: 'paused', isEnd: false });
  expect(said(['resumed'])).toEqual({ about: 'paused', isEnd: true });
  expect(said(['early_warning'])).toEqual({ about: 'early_warning', isEnd: false });
});

describe('[CHAN-07] a notification ends the incident of its outage', () => {
  const end = { events: ['resumed'], outage: '12', isOver: true } as const;
  test.each<[string, Parameters<typeof endsIncident>[0], boolean]>([
    ['when no campaign stays paused', end, true],
    ['by a change outside', { ...end, events: ['turned_off_outside'] }, true],
    ['unless campaigns stay paused', { ...end, isOver: false }, false],
    ['unless some were not resumed', { ...end, events: ['resumed', 'not_resumed'] }, false],
    ['unless Meta has refused all pauses', { ...end, events: ['paused'] }, false],
    ['also of the user’s own word, or of an early warning', { ...end, outage: null }, true],
    [
      'unless it is about the early warning itself',
      { ...end, events: ['early_warning'], outage: null },
      false,
    ],
  ])('%s', (_title, message, expected) => {
    expect(endsIncident(message)).toBe(expected);
  });
});

test.each<[string, Partial<IncidentState>, boolean]>([
  ['outage-12', {}, true],
  ['outage-12', { isPaused: true }, false],
  ['not_resumed', { isPaused: true }, false],
  ['address_refused', { isPaused: true, access: 'expired' }, true],
  ['address_refused', { isAddressRefused: true }, false],
  ['connection_expiring', { isPaused: true, isAddressRefused: true, isChannelDisabled: true }, true],
  ['early_warning', { isPaused: true }, true],
  ['early_warning', { isWarned: true }, false],
  ['paused', { isWarned: true }, true],
  ['channel_disabled', { isAddressRefused: true }, true],
  ['channel_disabled', { isChannelDisabled: true }, false],
  ['connection_expiring', { access: 'stale' }, false],
  ['connection_expiring', { isBlocked: true }, false],
])('[CHAN-07] the incident of %s with %j is over: %j', (about, over, expected) => {
  const none = {
    ...{ isPaused: false, isAddressRefused: false, isChannelDisabled: false, isBlocked: false },
    isWarned: false,
  };
  expect(isIncidentOver(about, { ...none, access: 'ok', ...over })).toBe(expected);
});

test.each([
  [['resumed', 'not_resumed'], true],
  [['connection_expiring'], false],
  [[], false],
] as const)('[CHAN-08] a notification with %j belongs to an outage: %j', (events, expected) => {
  expect(isOfOutage(events)).toBe(expected);
});

test('[CHAN-02] a secret signs for 24 hours after its rotation, also of several rotations', () => {
  const first = { secrets: ['a'], olderUntil: null };
  const second = withNewSecret(first, 'b', at);
  const third = withNewSecret(second, 'c', at + hours(23));
  expect(signingSecrets(first, at)).toEqual(['a']);
  expect(signingSecrets(second, at + hours(24) - 1)).toEqual(['b', 'a']);
  expect(signingSecrets(second, at + hours(24))).toEqual(['b']);
  expect(signingSecrets(third, at + hours(24))).toEqual(['c', 'b', 'a']);
  expect(withNewSecret(third, 'd', at + hours(24)).secrets).toEqual(['d', 'c', 'b']);
  expect(withNewSecret(second, 'c', at + hours(24)).secrets).toEqual(['c', 'b']);
});

test('[CHAN-07] an incident begins with what needs a human, and ends', () => {
  expect(usualEvents('pagerduty')).toEqual(['paused', 'resumed', 'not_resumed']);
  expect(usualEvents('slack')).toEqual(expect.arrayContaining(['turned_off_outside', 'connection_expiring']));
});
