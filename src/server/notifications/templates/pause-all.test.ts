import { expect, test } from 'vitest';
import * as email from '../../../../test/support/email-facts.ts';
import { pausedFor } from './pause-all.ts';
import { reminder } from './reminder.ts';
import { resumed } from './resumed.ts';

const cause = { ...email.cause, level: 'UP', by: 'user' } as const;
const act = { ...email.paused, cause };
const word = { source: 'user', since: email.at, until: null } as const;
const facts = { ...email.FACTS, acts: [act], outages: [], word };

test('[EARLY-08] the email of the pause says who paused, and until when', () => {
  const text = JSON.stringify(pausedFor(facts));
  expect(pausedFor(facts).subject).toBe('Paused 1 campaign: you chose “Pause all now”');
  expect(text).toContain('SmartPause resumes it when you choose “Resume all”.');
  expect(JSON.stringify(pausedFor({ ...facts, word: { ...word, until: email.later } }))).toContain(
    'SmartPause resumes it on Jan 8, 2026, 11:08 PM EST',
  );
  expect(text).not.toMatch(/Meta reports|threshold|disruption/i);
});

test('[EARLY-08] the email of the resume says that the word has ended', () => {
  const happened = {
    event: 'resumed',
    facts: { level: 'UP', threshold: 'MEDIUM', isLeaving: false, cause: 'user' },
  } as const;
  const end = { reason: null, at: email.later };
  const text = JSON.stringify(resumed({ ...facts, word: null, held: [], acts: [{ ...act, happened, end }] }));
  expect(text).toContain('“Pause all now” has ended.');
  expect(text).not.toMatch(/outage/i);
});

test('[EARLY-08] the reminder names the word, and no outage', () => {
  const held = email.FACTS.held.map((one) => ({ ...one, by: 'user' as const }));
  const text = JSON.stringify(reminder({ ...facts, held, now: email.at + 7 * 3_600_000 }));
  expect(text).toContain('You chose “Pause all now” on');
  expect(text).not.toMatch(/threshold|disruption/i);
});

const textOf = (given: Partial<typeof facts>) => JSON.stringify(pausedFor({ ...facts, ...given }));
const retried = { ...act, isHeld: false, happened: email.retrying('pause') };

test('[EARLY-08] the email has Meta’s words and the next tries of a refused pause', () => {
  const text = textOf({ acts: [retried] });
  expect(text).toContain('Meta says: “Two-factor required”.');
  expect(text).toContain('It keeps running and spending until Meta accepts the pause.');
  expect(text).toContain('Retry now');
  expect(text).not.toMatch(/runs? on|disruption|threshold/);
  const final = { ...email.refused, cause };
  expect(textOf({ acts: [final] })).toContain('does not try again while “Pause all now” is on.');
});

test('[EARLY-08] the email counts no campaign as paused that was resumed before it', () => {
  const done = { ...act, isHeld: false, end: { reason: null, at: email.at + 5000 } };
  const text = textOf({ acts: [done] });
  expect(text).toContain('None of the paused campaigns stays paused by SmartPause.');
  expect(text).toContain('resumed 9:10 PM EST');
  expect(text).not.toContain('SmartPause resumes it');
});

test('[EARLY-08] the email says what delays the resume after the word', () => {
  const text = textOf({ acts: [{ ...act, hasSchedule: true }] });
  expect(text).toContain('An outage of Meta that goes on then keeps it paused.');
  expect(text).toContain('Another tool has 1 campaign off at certain hours.');
});
