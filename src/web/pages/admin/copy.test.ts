import { expect, test } from 'vitest';
import type { Problem } from '#contract/admin.ts';
import { FAILING_PARTS, RETRIED_PARTS } from '#contract/failing.ts';
import { OUTLOOKS } from '#core/smartpause/outlook.ts';
import { outlookCopy, whyCopy } from './held-copy.ts';
import { isRetried, problemFacts, problemName, problemCopy } from './problem-copy.ts';

const NOW = Date.parse('2026-01-09T02:47:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

test.each([
  ['due', null, 'Due now'],
  ['due', at(4), 'Due now; next retry in 4 min (9:51 PM EST)'],
  ['scheduled', at(4), 'Resumes in 4 min (9:51 PM EST)'],
  ['limited', at(4), 'Due, but blocked by Meta’s rate limit until 9:51 PM EST'],
  ['verifying', at(4), 'No longer held; checked again when no late write can arrive until 9:51 PM EST'],
] as const)('the outlook %s, %s', (kind, time, words) => {
  expect(outlookCopy({ outlook: { kind, at: time } }, NOW)).toBe(words);
});

test.each(OUTLOOKS)('the outlook %s has a text with and without a time', (kind) => {
  for (const time of [null, at(4)])
    expect(outlookCopy({ outlook: { kind, at: time } }, NOW)).toMatch(
      /^[A-Z](?!.*(null|undefined|Invalid)).{5,}$/,
    );
});

test('the reason of a hold, with and without a level', () => {
  const why = { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' } as const;
  expect(whyCopy({ why })).toBe('High disruption met the Medium threshold.');
  expect(whyCopy({ why: { ...why, level: null } })).toBe('A disruption met the Medium threshold.');
});

const problem: Problem = {
  part: 'notification_waiting',
  id: '7',
  users: [],
  accountId: null,
  campaign: null,
  kind: 'paused',
  since: at(-10),
  failures: 3,
  lastError: null,
  nextAt: at(4),
  blockedUntil: null,
};

test('each problem has a name and facts', () => {
  expect(problemName(problem)).toBe('Email 7: Campaigns were paused');
  expect(problemName({ ...problem, part: 'accounts_failing', accountId: 'act_7' })).toBe('act_7');
  expect(problemName({ ...problem, campaign: { id: '9', name: null } })).toBe('Campaign 9');
  expect(problemName({ ...problem, part: 'leaving_failing', kind: 'delete' })).toBe('Account deletion');
  expect(problemFacts(problem, NOW)).toBe('Since 9:37 PM EST · Failed 3 times · Next retry in 4 min');
  const blocked = { ...problem, blockedUntil: at(5) };
  expect(problemFacts(blocked, NOW)).toBe('Since 9:37 PM EST · Failed 3 times · Blocked until 9:52 PM EST');
  expect(problemFacts({ ...problem, part: 'tokens_closed', since: null, nextAt: null }, NOW)).toBe(
    '3 tokens',
  );
});

test.each(FAILING_PARTS)('the problem %s has a text', (part) => {
  const { what, then } = problemCopy(part);
  for (const words of [what, then]) expect(words).toMatch(/^[A-Z].{10,}/);
  expect(isRetried(part)).toBe(RETRIED_PARTS.some((one) => one === part));
});

test('an unknown problem of a newer server is shown by its name', () => {
  expect(problemCopy('the_moon')).toEqual({ what: 'the_moon', then: '' });
});
