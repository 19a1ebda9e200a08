import { describe, expect, test } from 'vitest';
import type { DryRunAccount } from '#contract/try-api.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { days, minutes } from '../../../core/time.ts';

describe('[FR-30, ENG-24] an ad account in which Meta delivers nothing', () => {
  const suite = engineSuite();
  const { accountsOf, advertiser, outage, recovery, statuses, statusOf } = suite;
  const graph = () => suite.simulators.graph;

  /** Meta lists the account so when the page asks next. */
  async function isListedAs({ accountId }: Advertiser, facts: object): Promise<void> {
    await graph().post(`/accounts/${accountId}`, facts);
    suite.product.clock.advance(6_000);
  }
  const dryRun = async (who: Advertiser) =>
    (await who.user.get<{ accounts: DryRunAccount[] }>('/api/dry-run')).accounts;

  test('is shown and not counted, is paused and resumed, and shows when the debt is paid', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const [delivering] = await accountsOf(who);
    expect(delivering).toMatchObject({ protectedCampaigns: 2 });
    expect(delivering).not.toHaveProperty('noDelivery');
    await isListedAs(who, { account_status: 3 });
    expect(await accountsOf(who)).toMatchObject([{ protectedCampaigns: 0, noDelivery: 'payment_overdue' }]);
    expect(await dryRun(who)).toMatchObject([{ noDelivery: 'payment_overdue', paused: [{}, {}] }]);
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect(await statusOf(who)).toMatchObject({ heldCampaigns: 2, protectedRunning: 0 });
    await isListedAs(who, { account_status: 1 });
    const [paid] = await accountsOf(who);
    expect(paid).toMatchObject({ protectedCampaigns: 2 });
    expect(paid).not.toHaveProperty('noDelivery');
    expect(await statusOf(who)).toMatchObject({ heldCampaigns: 2, protectedRunning: 2 });
    await isListedAs(who, { account_status: 3 });
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test.each([
    [{ account_status: 9 }, undefined],
    [{ account_status: 999 }, undefined],
    [{ account_status: 101 }, 'closed'],
    [{ account_status: 2, disable_reason: 3 }, 'disabled_payment'],
  ])('is one with %j: %s', async (facts, reason) => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await isListedAs(who, facts);
    const [account] = await accountsOf(who);
    expect(account?.noDelivery).toBe(reason);
    expect(account?.protectedCampaigns).toBe(reason === undefined ? 1 : 0);
    expect((await dryRun(who))[0]?.noDelivery).toBe(reason);
  });

  test('is as last known while Meta refuses reads, and unknown after a day', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await isListedAs(who, { account_status: 3 });
    await accountsOf(who);
    await graph().fault({ kind: 'error', code: 200, times: 0, match: { user: who.userId } });
    suite.product.clock.advance(minutes(2));
    expect(await accountsOf(who)).toMatchObject([{ noDelivery: 'payment_overdue' }]);
    await suite.advance(days(1));
    const [account] = await accountsOf(who);
    expect(account).not.toHaveProperty('noDelivery');
    await suite.mend();
  });

  test('explains in the history why nothing was paused there', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    await isListedAs(who, { account_status: 101 });
    await accountsOf(who);
    await outage();
    const { outages } = await who.user.get<{ outages: { id: string }[] }>('/api/outages');
    const page = await who.user.get<{ campaigns: object[] }>(`/api/outages/${outages[0]?.id ?? ''}`);
    expect(page.campaigns).toContainEqual(
      expect.objectContaining({ name: 'Campaign 1', reason: 'no_delivery' }),
    );
    await recovery();
  });
});
