import { expect, test } from 'vitest';
import { isRecovering, levelOfPhrase } from './status-words.ts';

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
  ['Unresolved', 'UNKNOWN'],
  ['Not yet resolved', 'UNKNOWN'],
  ['Some disruptions', 'UNKNOWN'],
  ['Degraded', 'UNKNOWN'],
  ['Highly available', 'UNKNOWN'],
  ['Recovering…', 'UNKNOWN'],
  ['Recovering from an outage', 'UNKNOWN'],
  ['Recovering from major disruptions', 'HIGH_DISRUPTION'],
  ['', 'UNKNOWN'],
] as const)('the status page’s words %j mean %s', (phrase, level) => {
  expect(levelOfPhrase(phrase)).toBe(level);
});

test.each([
  ['Recovering…', true],
  [' recovering from an outage', true],
  ['Recovered', false],
  ['Resolved', false],
  ['High disruptions', false],
])('[ADMIN-05] the status page’s words %j: recovering is %s', (phrase, expected) => {
  expect(isRecovering(phrase)).toBe(expected);
});
