import { expect, test } from 'vitest';
import { Billing } from './billing.ts';

test('a checkout page is given again only for the same plan and the same trial', () => {
  const config = { secretKey: 'sk_test_1', webhookSecrets: [], portalConfiguration: 'bpc_1', apiUrl: null };
  const log = { warn: () => undefined, error: () => undefined };
  const billing = new Billing({ ...config, prices: { monthly: 'price_1', yearly: 'price_2' } }, log);
  const offers = (['monthly', 'yearly'] as const).flatMap((planType) =>
    [true, false].map((withTrial) => billing.offerOf({ planType, withTrial })),
  );
  expect(new Set(offers).size).toBe(4);
});
