import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { changesOf } from '../../../../test/support/product.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

describe('a subscription that ends during a hold', () => {
  const suite = engineSuite();
  const { report, advertiser, become, atRest, settled, statuses, holdsOf } = suite;

  async function lapse(who: Advertiser): Promise<void> {
    const { customer_id } = await suite.product.app.db
      .selectFrom('billing_customer')
      .innerJoin('app_user', 'app_user.id', 'billing_customer.user_id')
      .select('customer_id')
      .where('platform_user_id', '=', who.userId)
      .executeTakeFirstOrThrow();
    const { STRIPE_API_URL: url, STRIPE_SECRET_KEY: key } = suite.simulators.environment;
    const headers = { authorization: `Bearer ${key ?? ''}` };
    await fetch(`${url ?? ''}/v1/customers/${customer_id ?? ''}`, { method: 'DELETE', headers });
    await suite.until('the subscription to be over', async () => {
      const path = '/api/stripe/subscription';
      const state = await who.user.get<{ hasActiveSubscription: boolean }>(path);
      return state.hasActiveSubscription ? null : true;
    });
  }

  test('[SUB-03] resumes held campaigns and pauses no new ones', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED', 'PAUSED']);
    await settled(who);
    await lapse(who);
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE', 'ACTIVE']);
    await suite.until('the holds to have ended', async () =>
      (await holdsOf(who.accountId)).every(({ ended_at }) => ended_at !== null),
    );
    await report('High disruptions', 'HIGH_DISRUPTION');
    await atRest(who);
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    for (const id of who.campaignIds) {
      expect(await changesOf(suite.simulators, id)).toEqual(['PAUSED', 'ACTIVE']);
    }
  });
});
