import { describe, expect, test } from 'vitest';
import type { DryRunAccount } from '#contract/try-api.ts';
import { dryRunGroups, dryRunSummary, unreadCopy } from './dry-run-copy.ts';

const shoes = { id: '1', name: 'Shoes' };
const hats = { id: '2', name: 'Hats' };
const account = (over: Partial<DryRunAccount> = {}): DryRunAccount => ({
  id: 'act_1',
  name: 'Lind',
  readAt: '2026-01-09T02:10:00.000Z',
  isUnread: false,
  paused: [],
  notPaused: [],
  ...over,
});

describe('[TEST-01] the dry run in words', () => {
  test('counts what would be paused', () => {
    const off = [{ reason: 'smartpause_off' as const, campaigns: [hats] }];
    expect(dryRunSummary([account({ paused: [shoes], notPaused: off })], false)).toBe(
      'If Meta’s status met your threshold now, SmartPause would pause 1 of 2 campaigns.',
    );
    expect(dryRunSummary([account({ notPaused: off }), account({ id: 'act_2' })], false)).toBe(
      'If Meta’s status met your threshold now, SmartPause would pause none of your 1 campaign in 2 ad accounts.',
    );
    expect(dryRunSummary([account()], false)).toBe('You have no campaigns that SmartPause could pause.');
    expect(dryRunSummary([account(), account({ isUnread: true, readAt: null })], false)).toBe(
      'SmartPause couldn’t read your campaigns from Meta.',
    );
  });

  test('[UX-21] in a match it says what is paused already', () => {
    const held = [{ reason: 'held' as const, campaigns: [hats] }];
    expect(dryRunSummary([account({ notPaused: held })], true)).toBe(
      'Meta’s status meets your threshold now: SmartPause has paused 1 of 1 campaign.',
    );
    expect(dryRunSummary([account({ paused: [shoes], notPaused: held })], true)).toBe(
      'Meta’s status meets your threshold now: SmartPause has paused 1 of 2 campaigns. It pauses 1 more now.',
    );
    expect(dryRunGroups([account({ notPaused: held })])[0]?.label).toBe('Paused by SmartPause already');
  });

  test('[FR-30] does not count what Meta does not deliver', () => {
    const idle = account({ noDelivery: 'payment_overdue', paused: [hats] });
    expect(dryRunSummary([account({ paused: [shoes] }), idle], false)).toBe(
      'If Meta’s status met your threshold now, SmartPause would pause 1 of 1 campaign in 2 ad accounts. Not counted: 1 campaign where Meta delivers nothing.',
    );
    expect(dryRunSummary([idle], false)).toBe(
      'You have no campaigns that SmartPause could pause. Not counted: 1 campaign where Meta delivers nothing.',
    );
    expect(dryRunGroups([account({ paused: [shoes] }), idle]).map(({ label }) => label)).toEqual([
      'Would be paused',
      'Not counted: Meta delivers nothing in the ad account because a payment is overdue',
    ]);
  });

  test('groups the campaigns of all accounts by reason', () => {
    const off = (one: typeof hats) => [{ reason: 'smartpause_off' as const, campaigns: [one] }];
    const accounts = [account({ paused: [shoes] }), account({ name: 'Nora', notPaused: off(hats) })];
    expect(dryRunGroups(accounts).map(({ label, campaigns }) => [label, campaigns.length])).toEqual([
      ['Would be paused', 1],
      ['Not paused: SmartPause is off', 1],
    ]);
  });

  test('tells campaigns of one name in one ad account apart', () => {
    const other = { id: '3', name: 'Shoes' };
    const off = [{ reason: 'smartpause_off' as const, campaigns: [other] }];
    const accounts = [account({ paused: [shoes], notPaused: off }), account({ paused: [hats] })];
    expect(dryRunGroups(accounts).map(({ campaigns }) => campaigns.map(({ name }) => name))).toEqual([
      ['Shoes (1)', 'Hats'],
      ['Shoes (3)'],
    ]);
  });

  test('names the accounts that could not be read', () => {
    expect(unreadCopy([account()])).toBeNull();
    expect(unreadCopy([account({ isUnread: true })])).toBe(
      'Meta didn’t send the campaigns of Lind, so its list is older and may be wrong.',
    );
    const never = account({ name: 'Nora', isUnread: true, readAt: null });
    expect(unreadCopy([never])).toBe('The campaigns of Nora couldn’t be read yet, so they’re missing here.');
    expect(unreadCopy([account({ isUnread: true }), never])).toBe(
      'Meta didn’t send the campaigns of Lind, so its list is older and may be wrong. The campaigns of Nora couldn’t be read yet, so they’re missing here.',
    );
  });
});
