import { expect, test } from 'vitest';
import { practiceWords } from './practice.ts';

test.each([
  [
    ['Ad platform', 'Status page', 'Mailbox', 'Billing'],
    'Meta, email and Stripe are played by programs on this machine.',
  ],
  [['Ad platform', 'Status page'], 'Meta is played by a program on this machine.'],
  [['Mailbox', 'Billing'], 'email and Stripe are played by programs on this machine.'],
  [['Weather'], 'Weather is played by a program on this machine.'],
])('%j: %s', (names, words) => {
  expect(practiceWords(names)).toBe(words);
});
