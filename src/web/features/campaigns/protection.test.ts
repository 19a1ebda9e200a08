import { expect, test } from 'vitest';
import type { UserStatus } from '#contract/shapes.ts';
import { NO_SPEND } from '#core/coverage.ts';
import { ALL_ACCOUNTS } from './list-address.ts';
import { countsLabel } from './protection.ts';

const account = { id: 'act_1', name: 'Lind Outdoor' };
const held = (count: number) => [{ ...account, count }];
const covers = (protectedCount: number, open: number, isUnread?: true) =>
  [{ ...account, isUnread, blocked: NO_SPEND }].map((one) => ({
    ...one,
    protected: { ...NO_SPEND, count: protectedCount },
    open: { ...NO_SPEND, count: open },
  }));
const IN_MATCH = { checking: { ...NO_SPEND, count: 1 }, resumed: { ...NO_SPEND, count: 2 } };

test.each<[string, Partial<UserStatus>]>([
  ['30 of 35 protected', { coverage: covers(30, 5), heldAccounts: [] }],
  ['1,200 of 1,203 protected · 1,200 paused', { coverage: covers(0, 3), heldAccounts: held(1200) }],
  ['0 of 5 protected', { coverage: covers(0, 5) }],
  ['None running', { coverage: covers(0, 0) }],
  ['Couldn’t be read', { coverage: covers(0, 0, true) }],
  ['Couldn’t be read · 2 paused', { coverage: covers(0, 0, true), heldAccounts: held(2) }],
  [
    '33 of 35 protected · 2 paused',
    {
      coverage: covers(30, 0).map((one) => ({ ...one, ...IN_MATCH })),
      heldAccounts: held(2),
    },
  ],
  [
    '30 of 30 protected · 2 paused',
    { coverage: covers(30, 0), heldAccounts: held(2).map((one) => ({ ...one, deliversNothing: true })) },
  ],
  // A server of the specification.
  ['3 paused', { heldAccounts: held(3) }],
  ['1', {}],
])('[UX-06, UX-18] an account: %s', (label, given) => {
  const user: UserStatus = {
    ...{ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email: null, resumeAt: null },
    ...given,
  };
  expect(countsLabel(account, user, null, { isInMatch: false })).toBe(label);
  expect(countsLabel({ ...account, noDelivery: 'closed' }, undefined, null, { isInMatch: false })).toBe(
    'Not delivering: it is closed',
  );
});

test('[UX-01, UX-20] in a match an account counts what is paused, and what was resumed on request', () => {
  const user: UserStatus = {
    ...{ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email: null, resumeAt: null },
    ...{ coverage: covers(0, 1).map((one) => ({ ...one, ...IN_MATCH })), heldAccounts: held(2) },
  };
  expect(countsLabel(account, user, null, { isInMatch: true })).toBe('2 of 6 paused · 2 resumed');
  // In debt: nothing of it counts as protected.
  const heldAccounts = [...held(2), { ...account, id: 'act_2', count: 6, deliversNothing: true } as const];
  const all = { ...account, id: ALL_ACCOUNTS };
  expect(countsLabel(all, { ...user, heldAccounts }, null, { isInMatch: true })).toBe(
    '2 of 6 paused · 6\u00a0more, not delivering · 2 resumed',
  );
  const counts = [1, 2].map((refused) => countsLabel(account, user, null, { isInMatch: false, refused }));
  expect(counts).toEqual([
    '3 of 6 protected · 2 paused · 1 can’t resume',
    '3 of 6 protected · 2 can’t resume',
  ]);
});

test('[UX-18] nothing is protected where nothing can be paused', () => {
  const user = {
    resumeSettings: { mode: 'instant' },
    outageThreshold: 'MEDIUM',
    email: null,
    resumeAt: null,
  } as const;
  expect(countsLabel(account, { ...user, coverage: covers(30, 5) }, 'access', { isInMatch: false })).toBe(
    'Not protected',
  );
});
