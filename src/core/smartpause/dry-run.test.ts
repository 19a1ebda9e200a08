import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DryRunReason } from './blockers.ts';
import { dryRun } from './dry-run.ts';
import { LIVE_STATUSES } from './hold.ts';
import type { Owner, World } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, statusAfter, world } from './worlds.fixture.ts';

const UP = statusAfter('UP');

describe('[TEST-01] what would happen if Meta’s status met the threshold now', () => {
  test.each<[string, CampaignLine, Partial<Owner>, DryRunReason | 'paused']>([
    ['ON and running', { id: 'a', live: 'ACTIVE' }, {}, 'paused'],
    ['SmartPause off', { id: 'a', live: 'ACTIVE', setting: 'OFF' }, {}, 'smartpause_off'],
    ['disabled', { id: 'a', live: 'ACTIVE', setting: 'DEACTIVATED' }, {}, 'smartpause_deactivated'],
    ['already paused', { id: 'a', live: 'PAUSED' }, {}, 'already_paused'],
    ['legacy', { id: 'a', live: 'ACTIVE', isLegacyAdvantage: true }, {}, 'legacy_advantage'],
    ['[FR-01] ended', { id: 'a', live: 'ACTIVE', stopTime: START }, {}, 'ended'],
    ['[FR-01] not started yet', { id: 'a', live: 'ACTIVE', startTime: START + 1 }, {}, 'scheduled'],
    ['held', { id: 'a', live: 'PAUSED', hold: {} }, {}, 'held'],
    [
      'held, and due for a resume that waits',
      { id: 'a', live: 'PAUSED', hold: { state: 'resuming' } },
      {},
      'held',
    ],
    [
      'held, with a pause to be repeated',
      { id: 'a', live: 'ACTIVE', hold: { state: 'pausing' } },
      {},
      'held',
    ],
    ['no subscription', { id: 'a', live: 'ACTIVE' }, { mayHold: false }, 'no_subscription'],
    ['no token', { id: 'a', live: 'ACTIVE' }, { tokenUsable: false }, 'access_refused'],
    ['leaving', { id: 'a', live: 'ACTIVE' }, { leaving: true }, 'access_refused'],
  ])('%s', (_title, campaign, owner, expected) => {
    const found = dryRun(world({ status: UP, owner, campaigns: [campaign] }), { isSetUp: true }, START);
    expect(found.paused.length > 0 ? 'paused' : found.notPaused[0]?.reason).toBe(expected);
  });

  test('campaigns that another user’s hold covers, or before the setup', () => {
    const one = world({ status: UP, campaigns: [{ id: 'a', live: 'ACTIVE' }] });
    const others: World = { ...one, heldByOthers: new Set(['a']) };
    expect(dryRun(others, { isSetUp: true }, START).notPaused).toEqual([
      { id: 'a', reason: 'held_by_other_user' },
    ]);
    const fresh: World = { ...one, owner: { ...one.owner, mayHold: false } };
    expect(dryRun(fresh, { isSetUp: false }, START).notPaused).toEqual([{ id: 'a', reason: 'not_set_up' }]);
  });

  test('every threshold is met, also while the status is unknown or overridden', () => {
    const campaigns: CampaignLine[] = [{ id: 'a', live: 'ACTIVE' }];
    for (const threshold of ['LOW', 'MEDIUM', 'HIGH'] as const) {
      const one = world({ status: statusAfter('UNKNOWN'), owner: { threshold }, campaigns });
      expect(dryRun(one, { isSetUp: true }, START).paused).toEqual(['a']);
    }
  });

  test('each campaign that can run again is in exactly one list', () => {
    const line = fc.record({
      id: fc.integer({ min: 1, max: 50 }).map(String),
      live: fc.constantFrom(...LIVE_STATUSES),
      setting: fc.constantFrom('ON' as const, 'OFF' as const, 'DEACTIVATED' as const),
      isLegacyAdvantage: fc.boolean(),
    });
    const lines = fc.uniqueArray(line, { selector: ({ id }) => id, maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.boolean(), (campaigns, mayHold) => {
        const found = dryRun(world({ status: UP, owner: { mayHold }, campaigns }), { isSetUp: true }, START);
        const listed = [...found.paused, ...found.notPaused.map(({ id }) => id)].sort();
        const running = campaigns.filter(({ live }) => live === 'ACTIVE' || live === 'PAUSED');
        expect(listed).toEqual(running.map(({ id }) => id).sort());
      }),
    );
  });
});
