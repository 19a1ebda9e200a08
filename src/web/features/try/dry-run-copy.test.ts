import { describe, expect, test } from 'vitest';
import type { DryRunAccount, UnreadBecause } from '#contract/try-api.ts';
import { dryRunGroups, dryRunSummary, unreadCopy } from './dry-run-copy.ts';

const shoes = { id: '1', name: 'Shoes' };
const hats = { id: '2', name: 'Hats' };
const boots = { id: '4', name: 'Boots' };
const already = { reason: 'already_paused' as const, campaigns: [{ id: '5', name: 'Coats' }] };
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
  const off = (...campaigns: { id: string; name: string }[]) => [
    { reason: 'smartpause_off' as const, campaigns },
  ];
  const summaryOf = (accounts: DryRunAccount[], isMatched = false) =>
    dryRunSummary(accounts, isMatched).summary;

  test.each<[string, string | null, DryRunAccount[]]>([
    [
      'If Meta’s status met your threshold now, SmartPause would pause 1 of your 2 running campaigns.',
      '1 would keep spending.',
      [account({ paused: [shoes], notPaused: [...off(hats), already] })],
    ],
    [
      'If Meta’s status met your threshold now, SmartPause would pause none of your 2 running campaigns in Lind.',
      '2 would keep spending: at least $50/day, 1 budget unknown.',
      [
        account({
          ...{ currency: 'USD', notPaused: off(shoes, hats) },
          spending: { count: 2, budget: 5000, unknownBudgets: 1 },
        }),
        account({ id: 'act_2' }),
      ],
    ],
    [
      'If Meta’s status met your threshold now, SmartPause would pause both of your running campaigns.',
      null,
      [account({ paused: [shoes, hats], notPaused: [already] })],
    ],
    [
      'If Meta’s status met your threshold now, SmartPause wouldn’t pause your running campaign.',
      'It would keep spending.',
      [account({ notPaused: off(hats) })],
    ],
    [
      'None of your campaigns is running, so an outage would pause nothing.',
      null,
      [account({ notPaused: [already] })],
    ],
    ['You have no campaigns that SmartPause could pause.', null, [account()]],
    [
      'SmartPause couldn’t read your campaigns from Meta.',
      null,
      [account(), account({ isUnread: true, readAt: null })],
    ],
  ])('%s', (summary, risk, accounts) => {
    expect(dryRunSummary(accounts, false)).toEqual({ summary, risk });
  });

  test('[UX-21] in a match it says what is paused already', () => {
    const held = [{ reason: 'held' as const, campaigns: [hats] }];
    expect(summaryOf([account({ notPaused: [...held, already] })], true)).toBe(
      'Meta’s status meets your threshold now: SmartPause has paused 1 of 1 campaign.',
    );
    expect(dryRunSummary([account({ paused: [shoes], notPaused: [...held, ...off(boots)] })], true)).toEqual({
      summary:
        'Meta’s status meets your threshold now: SmartPause has paused 1 of 3 campaigns. It pauses 1 more now.',
      risk: '1 keeps spending.',
    });
    expect(dryRunSummary([account({ notPaused: [...held, ...off(boots)] })], true).risk).toBe(
      '1 keeps spending.',
    );
    expect(dryRunGroups([account({ notPaused: held })])[0]?.label).toBe('Paused by SmartPause already');
  });

  test('[FR-30] does not count what Meta does not deliver', () => {
    const idle = account({ noDelivery: 'payment_overdue', paused: [hats], notPaused: off(boots) });
    expect(dryRunSummary([account({ paused: [shoes] }), idle], false)).toEqual({
      summary:
        'If Meta’s status met your threshold now, SmartPause would pause your running campaign in Lind. Not counted: 2 campaigns where Meta delivers nothing (1 of them paused, too).',
      risk: null,
    });
    expect(summaryOf([idle])).toBe(
      'Your 2 running campaigns deliver nothing now, so an outage wastes no spend. SmartPause would still pause 1 of them.',
    );
    expect(
      dryRunGroups([account({ paused: [shoes] }), idle]).map(({ label, campaigns }) => [
        label,
        campaigns.length,
      ]),
    ).toEqual([
      ['Would be paused', 1],
      ['Not counted: Meta delivers nothing in the ad account because a payment is overdue', 1],
      [
        'Would be paused, too. Not counted: Meta delivers nothing in the ad account because a payment is overdue',
        1,
      ],
    ]);
  });

  test('groups the campaigns of all accounts by reason, those that keep spending first', () => {
    const accounts = [
      account({ paused: [shoes], notPaused: [already] }),
      account({ name: 'Nora', notPaused: [...off(hats), { reason: null, campaigns: [boots] }] }),
    ];
    expect(dryRunSummary(accounts, false).risk).toBe('2 would keep spending.');
    expect(
      dryRunGroups(accounts).map(({ label, isRisk, campaigns }) => [label, isRisk, campaigns.length]),
    ).toEqual([
      ['Would be paused', false, 1],
      ['Keeps spending: SmartPause is off', true, 1],
      ['Not paused', true, 1],
      ['Paused already, stays paused', false, 1],
    ]);
  });

  test('tells campaigns of one name in one ad account apart', () => {
    const other = { id: '3', name: 'Shoes' };
    const accounts = [account({ paused: [shoes], notPaused: off(other) }), account({ paused: [hats] })];
    expect(dryRunGroups(accounts).map(({ campaigns }) => campaigns.map(({ name }) => name))).toEqual([
      ['Shoes (1)', 'Hats'],
      ['Shoes (3)'],
    ]);
  });

  test('names the accounts that could not be read, and whose limit it is', () => {
    expect(unreadCopy([account()])).toBeNull();
    expect(unreadCopy([account({ isUnread: true })])).toBe(
      'Meta didn’t send the campaigns of Lind, so its list is older and may be wrong.',
    );
    const unasked = (unreadBecause: UnreadBecause) =>
      unreadCopy([account({ isUnread: true, unreadBecause })]);
    expect(unasked('app_limit')).toBe(
      'SmartPause’s own limit at Meta is nearly used up, so the campaigns of Lind are as last read.',
    );
    expect(unasked('limit')).toBe(
      'Meta’s rate limit for Lind is reached, so its list is older and may be wrong.',
    );
    expect(unasked('suspended')).toBe(
      'SmartPause’s own connection to Meta is suspended; your access is fine. The campaigns of Lind are as last read.',
    );
    const never = account({ name: 'Nora', isUnread: true, readAt: null });
    expect(unreadCopy([never])).toBe('The campaigns of Nora couldn’t be read yet, so they’re missing here.');
    expect(unreadCopy([account({ isUnread: true }), never])).toBe(
      'Meta didn’t send the campaigns of Lind, so its list is older and may be wrong. The campaigns of Nora couldn’t be read yet, so they’re missing here.',
    );
  });
});
