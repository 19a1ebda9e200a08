import { expect, test } from 'vitest';
import { demoCopy } from './demo-banner.ts';

test.each([
  [
    ['Change campaigns', 'Trigger an outage', 'Read the emails', 'Manage billing'],
    'Meta, email and Stripe are simulated on this machine.',
  ],
  [['Change campaigns', 'Trigger an outage'], 'Meta is simulated on this machine.'],
  [['Read the emails', 'Manage billing'], 'email and Stripe are simulated on this machine.'],
  [['Weather'], 'Weather is simulated on this machine.'],
])('%j: %s', (names, words) => {
  expect(demoCopy(names)).toBe(words);
});
