import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import type { StripeSync } from './billing-customers.ts';
import {
  beginSync,
  claimCheckout,
  isCheckoutClaimed,
  releaseCheckout,
  settleSync,
} from './billing-customers.ts';

const DELAY_MS = 60_000;
const db = useFreshDb();

beforeAll(async () => {
  await sql`insert into users (id, platform_user_id, name, resume_settings, logged_in_at, created_at) overriding system value
    values (1, '1', 'Maya', '{}', now(), now())`.execute(db());
  await sql`insert into stripe_customers (user_id, customer_id, request_key, sync_at)
    values (1, 'cus_1', 'key', now())`.execute(db());
});

test('of two reads from Stripe the newest wins, in whatever order they end', async () => {
  const begin = async (): Promise<StripeSync> => {
    const sync = await beginSync(db(), '1', DELAY_MS);
    if (sync === null) throw new Error('no customer');
    return sync;
  };
  const first = await begin();
  const second = await begin();
  expect(await settleSync(db(), second, DELAY_MS)).toBe(true);
  expect(await settleSync(db(), first, DELAY_MS)).toBe(false);
  expect(await settleSync(db(), await begin(), DELAY_MS)).toBe(true);
});

test("one request at a time holds the checkout, by the database's clock", async () => {
  const until = (await claimCheckout(db(), '1', DELAY_MS)) ?? 0;
  expect([await isCheckoutClaimed(db(), '1', until), await claimCheckout(db(), '1', DELAY_MS)]).toEqual([
    true,
    null,
  ]);
  await releaseCheckout(db(), '1', until);
  const ended = (await claimCheckout(db(), '1', -1)) ?? 0;
  expect(await isCheckoutClaimed(db(), '1', ended)).toBe(false);
  const next = (await claimCheckout(db(), '1', DELAY_MS)) ?? 0;
  // A request that took too long releases only its own claim.
  await releaseCheckout(db(), '1', ended);
  expect(await isCheckoutClaimed(db(), '1', next)).toBe(true);
});
