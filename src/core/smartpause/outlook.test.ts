import { expect, test } from 'vitest';
import type { Hold } from './hold.ts';
import type { OutlookGiven } from './outlook.ts';
import { outlookOf } from './outlook.ts';
import { plan } from './plan.ts';
import { OWNER, START, holdOn, statusAfter, steps, world } from './worlds.fixture.ts';

const over = statusAfter('HIGH_DISRUPTION', 'UP');
const given: OutlookGiven = {
  status: over,
  owner: OWNER,
  isOn: true,
  isTokenUsable: true,
  isAccountLost: false,
  blockedUntil: null,
  now: START + 1000,
};
const inFiveMinutes = { ...OWNER, resume: { mode: 'delay', delay: { value: 5, unit: 'minutes' } } } as const;

interface Case {
  title: string;
  hold?: Partial<Hold>;
  given?: Partial<OutlookGiven>;
  /** Found running; else it is paused. */
  isRunning?: true;
  outlook: ReturnType<typeof outlookOf>;
}

const CASES: readonly Case[] = [
  { title: 'over, and to be resumed at once', outlook: { kind: 'due', at: null } },
  {
    title: 'refused a moment ago',
    hold: { retryAt: START + 9000 },
    outlook: { kind: 'due', at: START + 9000 },
  },
  {
    title: 'over, with a delay',
    given: { owner: inFiveMinutes },
    outlook: { kind: 'scheduled', at: START + 300_000 },
  },
  {
    title: 'matched',
    given: { status: statusAfter('HIGH_DISRUPTION') },
    outlook: { kind: 'matched', at: null },
  },
  {
    title: 'a level below the threshold',
    given: { status: statusAfter('HIGH_DISRUPTION', 'LOW_DISRUPTION') },
    outlook: { kind: 'due', at: null },
  },
  {
    title: 'matched, and the status is UNKNOWN since',
    given: { status: statusAfter('HIGH_DISRUPTION', 'UNKNOWN') },
    outlook: { kind: 'unknown', at: null },
  },
  {
    title: 'over, with a delay, and the status is UNKNOWN since',
    given: { status: statusAfter('HIGH_DISRUPTION', 'UP', 'UNKNOWN'), owner: inFiveMinutes },
    outlook: { kind: 'scheduled', at: START + 240_000 },
  },
  {
    title: 'over, to be resumed at once, and the status is UNKNOWN since',
    given: { status: statusAfter('HIGH_DISRUPTION', 'UP', 'UNKNOWN') },
    outlook: { kind: 'due', at: null },
  },
  {
    title: 'matched, and its person is leaving',
    given: { status: statusAfter('HIGH_DISRUPTION'), owner: { ...OWNER, leaving: true } },
    outlook: { kind: 'due', at: null },
  },
  {
    title: 'Meta’s limit',
    given: { blockedUntil: START + 60_000 },
    outlook: { kind: 'limited', at: START + 60_000 },
  },
  { title: 'a limit that is over', given: { blockedUntil: START }, outlook: { kind: 'due', at: null } },
  { title: 'no usable token', given: { isTokenUsable: false }, outlook: { kind: 'login', at: null } },
  {
    title: 'the ad account is refused',
    given: { isAccountLost: true },
    outlook: { kind: 'access_lost', at: null },
  },
  {
    title: 'turned off while a write is under way',
    hold: { state: 'pausing', inDoubt: true, sentAt: START },
    given: { isOn: false },
    outlook: { kind: 'turned_off', at: START + 60_000 },
  },
  {
    title: 'resumed, with a late pause about',
    hold: { state: 'resuming', inDoubt: true, resumedAt: START, latePauseUntil: START + 30_000 },
    isRunning: true,
    outlook: { kind: 'watched', at: START + 30_000 },
  },
  {
    title: 'paused by a hand, with a late resume about',
    hold: { givenUp: 'manual_pause', resumedAt: START, lateResumeUntil: START + 30_000 },
    outlook: { kind: 'given_up', at: START + 30_000 },
  },
];

test.each(CASES)('$title', ({ hold, given: more, outlook }) => {
  expect(outlookOf(holdOn('a', hold), { ...given, ...more })).toEqual(outlook);
});

test.each(CASES)(
  'the engine resumes exactly what is said to be due: $title',
  ({ hold, given: more, isRunning, outlook }) => {
    const { status, owner, isOn, isTokenUsable, now, isAccountLost, blockedUntil } = { ...given, ...more };
    // These two keep the engine from asking Meta at all, and are no matter of the plan.
    if (isAccountLost || (blockedUntil ?? 0) > now) return;
    const line = {
      id: 'a',
      live: isRunning ? 'ACTIVE' : 'PAUSED',
      setting: isOn ? 'ON' : 'OFF',
      hold: hold ?? {},
    } as const;
    const planned = plan(
      world({ status, owner: { ...owner, mayHold: true, tokenUsable: isTokenUsable }, campaigns: [line] }),
      now,
    );
    expect(steps(planned).includes('resume a')).toBe(outlook.kind === 'due' && outlook.at === null);
  },
);
