import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import type { StripeSync } from './billing-customers.ts';
import { beginSync, settleSync } from './billing-customers.ts';

const AT = Date.parse('2026-01-09T02:10:00Z');
const db = useFreshDb();

test('of two reads from Stripe the newest wins, in whatever order they end', async () => {
  await sql`insert into app_user (id, platform_user_id, name, resume_settings, logged_in_at, created_at) overriding system value
    values (1, '1', 'Maya', '{}', now(), now())`.execute(db());
  await sql`insert into billing_customer (user_id, customer_id, request_key, sync_at)
    values (1, 'cus_1', 'key', now())`.execute(db());
  const begin = async (): Promise<StripeSync> => {
    const sync = await beginSync(db(), '1', AT);
    if (sync === null) throw new Error('no customer');
    return sync;
  };
  const first = await begin();
  const second = await begin();
  expect(await settleSync(db(), second, AT)).toBe(true);
  expect(await settleSync(db(), first, AT)).toBe(false);
  expect(await settleSync(db(), await begin(), AT)).toBe(true);
});
