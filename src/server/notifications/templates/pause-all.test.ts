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
  expect(text).toContain('Your “Pause all now” has ended.');
  expect(text).not.toMatch(/outage/i);
});

test('[EARLY-08] the reminder names the word, and no outage', () => {
  const held = email.FACTS.held.map((one) => ({ ...one, by: 'user' as const }));
  const text = JSON.stringify(reminder({ ...facts, held, now: email.at + 7 * 3_600_000 }));
  expect(text).toContain('You chose “Pause all now” on');
  expect(text).not.toMatch(/threshold|disruption/i);
});
