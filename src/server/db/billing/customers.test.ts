import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { countBlocked, plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import { beginRead, failRead, finishRead, withCheckoutLock } from './customers.ts';

const DAY_MS = 86_400_000;
const db = useFreshDb();

beforeAll(async () => {
  await plantUser(db());
  await sql`insert into stripe_customers (user_id, customer_id, sync_at) values (1, 'cus_1', now())`.execute(
    db(),
  );
});

async function begin() {
  const read = await beginRead(db(), '1');
  if (read === null) throw new Error('no customer');
  return read;
}

test('of two reads from Stripe the one that began later wins, in whatever order they end', async () => {
  const [first, second] = [await begin(), await begin()];
  expect(await finishRead(db(), second, DAY_MS)).toBe(true);
  expect(await finishRead(db(), first, DAY_MS)).toBe(false);
  // Nor does its failure schedule a retry.
  await failRead(db(), first, 'unavailable', 0);
  const row = db().selectFrom('stripeCustomers').select(['failedSince', 'lastError']);
  expect(await row.executeTakeFirst()).toEqual({ failedSince: null, lastError: null });
  await failRead(db(), await begin(), 'unavailable', 0);
  expect(await row.executeTakeFirst()).toMatchObject({ lastError: 'unavailable' });
  expect(await finishRead(db(), await begin(), DAY_MS)).toBe(true);
  expect(await row.executeTakeFirst()).toEqual({ failedSince: null, lastError: null });
});

test('the result of a former customer is not stored', async () => {
  expect(await finishRead(db(), { ...(await begin()), customerId: 'cus_0' }, DAY_MS)).toBe(false);
});

test('one checkout at a time for each user, while other statements lock the user', async () => {
  const { promise: goesOn, resolve } = Promise.withResolvers<undefined>();
  const order: string[] = [];
  const act = (name: string, until?: Promise<undefined>) =>
    withCheckoutLock(db(), '1', async () => {
      order.push(`${name} begins`);
      await until;
      order.push(`${name} ends`);
    });
  const first = act('first', goesOn);
  await waitFor('the lock', () => order.length === 1);
  const second = act('second');
  await waitFor('the second to wait', async () => (await countBlocked(db())) === 1);
  await sql`select from users where id = 1 for update`.execute(db());
  resolve(undefined);
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('an act whose lock was lost fails', async () => {
  const lost = withCheckoutLock(db(), '1', async () => {
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(db());
    return 'a page';
  });
  await expect(lost).rejects.toThrow();
});
