import { sql } from 'kysely';
import type { ControlClient } from '../../scripts/outside/control-client.ts';
import type { Db } from '../../src/server/db/database.ts';
import { tokenContext } from '../../src/server/db/users/tokens.ts';
import type { TokenCipher } from '../../src/server/secrets.ts';

/** All users are subscribed and set up, with SmartPause on for all campaigns. */
export interface Population {
  users: number;
  accountsEach: number;
  campaignsEach: number;
}

const FIRST_USER = 7_100_000_000_000_000;
const FIRST_ACCOUNT = 8_100_000_000_000_000;
// All ids are below 2 ** 53.
const FIRST_CAMPAIGN = 8_900_000_000_000_000;

const userIdOf = (user: number): string => String(FIRST_USER + user);
export const accountIdOf = (account: number): string => `act_${FIRST_ACCOUNT + account}`;
export const campaignIdOf = (campaign: number): string => String(FIRST_CAMPAIGN + campaign);
/** In minor units. All values differ and are unsorted, so that every account has some high budgets. */
export const budgetOf = (campaign: number): number => 1000 + ((campaign * 7919) % 1_000_003);

/** Inserts rows into an empty, migrated database, as they look after a while of use. */
export async function plantRows(db: Db, population: Population, at: Date): Promise<void> {
  const { users, accountsEach, campaignsEach } = population;
  const accounts = users * accountsEach;
  const campaigns = accounts * campaignsEach;
  const inYears = new Date(at.getTime() + 700 * 86_400_000);
  await sql`
    insert into users (platform_user_id, name, email, initialized_at, threshold, resume_settings, logged_in_at, created_at)
    select (${FIRST_USER}::bigint + n)::text, 'User ' || n, 'user' || n || '@example.com', ${at},
      'MEDIUM', '{"mode": "instant"}', ${at}, ${at}
    from generate_series(0, ${users - 1}::int) n`.execute(db);
  // Identity columns follow the insertion order: user n has the id n + 1.
  await sql`
    insert into subscriptions (user_id, source, status, plan_type, current_period_end, renews)
    select id, 'stripe', 'active', 'monthly', ${inYears}, true from users`.execute(db);
  await sql`
    insert into ad_accounts (user_id, id, name, currency, seen_at)
    select n / ${accountsEach}::int + 1, 'act_' || (${FIRST_ACCOUNT}::bigint + n), 'Account ' || n, 'USD', ${at}
    from generate_series(0, ${accounts - 1}::int) n`.execute(db);
  await sql`
    insert into campaigns (id, account_id, name, status, objective, daily_budget, seen_at)
    select (${FIRST_CAMPAIGN}::bigint + n)::text, 'act_' || (${FIRST_ACCOUNT}::bigint + n / ${campaignsEach}::int),
      'Campaign ' || n, 'ACTIVE', 'OUTCOME_SALES', 1000 + (n::bigint * 7919) % 1000003, ${at}
    from generate_series(0, ${campaigns - 1}::int) n`.execute(db);
  await sql`
    insert into campaign_lists (account_id, read_at)
    select 'act_' || (${FIRST_ACCOUNT}::bigint + n), ${at} from generate_series(0, ${accounts - 1}::int) n`.execute(
    db,
  );
  await sql`
    insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
    select n / ${accountsEach * campaignsEach}::int + 1, (${FIRST_CAMPAIGN}::bigint + n)::text,
      'act_' || (${FIRST_ACCOUNT}::bigint + n / ${campaignsEach}::int), 'ON', ${at}
    from generate_series(0, ${campaigns - 1}::int) n`.execute(db);
  await sql`
    insert into work_items (account_id, priority)
    select account_id, sum(daily_budget) from campaigns group by account_id`.execute(db);
}

/** Stores the platform tokens of the users, by user. */
export async function plantTokens(
  db: Db,
  cipher: TokenCipher,
  tokens: readonly string[],
  at: Date,
): Promise<void> {
  const ciphertext = tokens.map(
    (token, user) => cipher.encrypt(token, tokenContext(String(user + 1))).ciphertext,
  );
  const tomorrow = new Date(at.getTime() + 86_400_000);
  await sql`
    insert into platform_tokens (user_id, ciphertext, key_id, expires_at, saved_at, check_at)
    select t.user_id, decode(t.ciphertext, 'hex'), ${cipher.keyId}, null, ${at}, ${tomorrow}
    from unnest(${tokens.map((_token, user) => String(user + 1))}::bigint[],
      ${ciphertext.map((one) => Buffer.from(one).toString('hex'))}::text[]) as t(user_id, ciphertext)`.execute(
    db,
  );
}

const USERS_AT_ONCE = 50;

/** Creates the same users, ad accounts and campaigns in Meta's simulator. @returns the token of each user */
export async function plantCrowd(graph: ControlClient, population: Population): Promise<string[]> {
  const tokens: string[] = [];
  const all = rangeOf(0, population.users);
  for (let first = 0; first < all.length; first += USERS_AT_ONCE) {
    const users = all.slice(first, first + USERS_AT_ONCE);
    await graph.post('/seed', { replace: first === 0, users: users.map((one) => userOf(one, population)) });
    for (const one of users) {
      const token = await graph.post<{ access_token: string }>('/tokens', { userId: userIdOf(one) });
      tokens.push(token.access_token);
    }
  }
  return tokens;
}

function userOf(user: number, { accountsEach, campaignsEach }: Population): object {
  const accounts = rangeOf(user * accountsEach, accountsEach).map((account) => ({
    ...{ id: accountIdOf(account), name: `Account ${account}`, currency: 'USD' },
    campaigns: rangeOf(account * campaignsEach, campaignsEach).map((campaign) => ({
      ...{ id: campaignIdOf(campaign), name: `Campaign ${campaign}` },
      daily_budget: String(budgetOf(campaign)),
    })),
  }));
  return { id: userIdOf(user), name: `User ${user}`, accounts };
}

function rangeOf(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
