import { expect, test } from 'vitest';
import { isRecovering, levelOfPhrase } from './status-text.ts';

test.each([
  ['No known issues', 'UP'],
  ['no known issues', 'UP'],
  ['Resolved', 'UP'],
  ['Resolved: Major outage', 'UP'],
  ['Recently resolved', 'UP'],
  ['Low disruptions', 'LOW_DISRUPTION'],
  ['Medium  disruptions', 'MEDIUM_DISRUPTION'],
  ['High disruptions', 'HIGH_DISRUPTION'],
  [' HIGH DISRUPTION ', 'HIGH_DISRUPTION'],
  ['Major disruptions', 'HIGH_DISRUPTION'],
  ['Major outage', 'HIGH_DISRUPTION'],
  ['Unresolved', null],
  ['Not yet resolved', null],
  ['Some disruptions', null],
  ['Degraded', null],
  ['Highly available', null],
  ['Recovering…', null],
  ['Recovering from an outage', null],
  ['Recovering from major disruptions', 'HIGH_DISRUPTION'],
  ['', null],
] as const)('the phrase %j means %s', (phrase, level) => {
  expect(levelOfPhrase(phrase)).toBe(level);
});

test.each([
  ['Recovering…', true],
  [' recovering from an outage', true],
  ['Recovered', false],
  ['Resolved', false],
  ['High disruptions', false],
])('[ADMIN-05] the phrase %j: recovering is %s', (phrase, expected) => {
  expect(isRecovering(phrase)).toBe(expected);
});
