import { expect, test } from 'vitest';
import type { Hold } from './hold.ts';
import { LATE_WRITE_MS } from './hold.ts';
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
  /** Found ACTIVE; else it is PAUSED. */
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
    title: 'matched, and its user is leaving',
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
    hold: { state: 'pausing', sentAt: START },
    given: { isOn: false },
    outlook: { kind: 'turned_off', at: START + LATE_WRITE_MS },
  },
  {
    title: 'resumed, and a copy may still arrive',
    hold: { state: 'resumed', sentAt: START, resumedAt: START },
    isRunning: true,
    outlook: { kind: 'verifying', at: START + LATE_WRITE_MS },
  },
  {
    title: 'paused manually, while a copy of our pause may arrive',
    hold: { release: 'manual_pause', resumedAt: START, sentAt: START },
    outlook: { kind: 'verifying', at: START + LATE_WRITE_MS },
  },
  {
    title: 'an external pause that a late copy undid',
    hold: { state: 'pausing', release: 'paused_outside', resumedAt: START },
    outlook: { kind: 'restoring', at: null },
  },
];

test.each(CASES)('$title', ({ hold, given: more, outlook }) => {
  expect(outlookOf(holdOn('a', hold), { ...given, ...more })).toEqual(outlook);
});

test.each(CASES)(
  'the plan resumes exactly what the outlook calls due: $title',
  ({ hold, given: more, isRunning, outlook }) => {
    const { status, owner, isOn, isTokenUsable, now, isAccountLost, blockedUntil } = { ...given, ...more };
    // These two stop the reconciler from calling Meta and do not affect the plan.
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
    expect(steps(planned).includes('a resume')).toBe(outlook.kind === 'due' && outlook.at === null);
  },
);
