import { describe, expect, test } from 'vitest';
import type { DryRunAccount } from '#contract/try-api.ts';
import { dumpOf } from '../../../../test/support/database.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

/** Everything but the lists that a read refreshes. */
const DECISIONS = [
  'users',
  'smartpause_settings',
  'holds',
  'activities',
  'manual_changes',
  'notifications',
  'work_items',
];

describe('[TEST-01] the dry run', () => {
  const suite = engineSuite();

  const dryRun = async (who: Advertiser) =>
    (await who.user.get<{ accounts: DryRunAccount[] }>('/api/dry-run')).accounts;
  const namesOf = (campaigns: { name: string }[]) => campaigns.map(({ name }) => name);

  test('names the campaigns that would be paused, and the others with the reason; writes nothing', async () => {
    const who = await suite.advertiser({
      campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE', 'ACTIVE', 'ARCHIVED'],
      promotionTypes: ['', '', '', '', 'SMART_APP_PROMOTION'],
      on: 3,
    });
    await suite.known('UP');
    await suite.turn();
    const before = await dumpOf(suite.product.app.db, DECISIONS);
    const writes = (await suite.simulators.graph.writes()).length;
    const [account] = await dryRun(who);
    expect(account).toMatchObject({ id: who.accountId, isUnread: false });
    expect(namesOf(account?.paused ?? [])).toEqual(['Campaign 0', 'Campaign 1']);
    expect(account?.notPaused.map(({ reason, campaigns }) => [reason, namesOf(campaigns)])).toEqual([
      ['smartpause_off', ['Campaign 3']],
      ['already_paused', ['Campaign 2']],
      ['legacy_advantage', ['Campaign 4']],
    ]);
    expect(account?.spending).toMatchObject({ count: 2 });
    expect(await dumpOf(suite.product.app.db, DECISIONS)).toEqual(before);
    expect((await suite.simulators.graph.writes()).length).toBe(writes);
  });

  test('reads the campaigns from Meta, so the reasons are true now', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.graph.post(`/campaigns/${who.campaignIds[0] ?? ''}`, { status: 'PAUSED' });
    suite.product.clock.advance(60_000);
    const [account] = await dryRun(who);
    expect(account?.notPaused.map(({ reason }) => reason)).toEqual(['already_paused']);
  });

  test('says which account could not be read', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    suite.product.clock.advance(60_000);
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0 });
    const [account] = await dryRun(who);
    expect(account).toMatchObject({ isUnread: true, paused: [{ name: 'Campaign 0' }] });
    expect(Date.parse(account?.readAt ?? '')).toBeLessThan(suite.product.clock.now() - 50_000);
  });

  test('answers in time while Meta lets the lists of many ad accounts hang', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const others = Array.from({ length: 8 }, (_one, n) => `act_6600${n}`);
    await suite.hasAccounts(
      who,
      [who.accountId, ...others].map((id) => ({ id, name: id, currency: 'USD', campaigns: [] })),
    );
    suite.product.clock.advance(60_000);
    await suite.accountsOf(who);
    await suite.campaignsOf({ ...who, accountId: 'act_66007' });
    const { graph } = suite.simulators;
    const match = { user: who.userId, path: 'campaigns' };
    const fault = await graph.fault({ kind: 'hang_before', times: 0, match });
    const answer = dryRun(who);
    await suite.amid('the first reads', async () => (await graph.parked(fault)) === 4);
    suite.product.clock.advance(13_000);
    const accounts = await answer;
    expect(accounts).toHaveLength(9);
    expect(accounts.filter(({ isUnread }) => !isUnread).map(({ id }) => id)).toEqual(['act_66007']);
    await suite.mend();
  });

  test('finds what really happens in the outage that follows', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED', 'ACTIVE'], on: 2 });
    const [account] = await dryRun(who);
    expect(account?.paused.map(({ id }) => id)).toEqual([who.campaignIds[0]]);
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED', 'PAUSED', 'ACTIVE']);
    const [held] = await dryRun(who);
    expect(held?.notPaused.map(({ reason }) => reason)).toEqual(['smartpause_off', 'already_paused', 'held']);
  });
});
