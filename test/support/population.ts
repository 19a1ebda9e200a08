import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { ControlClient } from '../../scripts/simulator-clients/control-client.ts';
import type { Db } from '../../src/server/db/database.ts';
import type { Schema } from '../../src/server/db/schema.ts';
import { tokenContext } from '../../src/server/db/users/tokens.ts';
import type { TokenCipher } from '../../src/server/secrets.ts';
import { userRow } from './database.ts';

/** All users are subscribed and set up, with SmartPause on for all campaigns. */
interface Population {
  users: number;
  accountsEach: number;
  campaignsEach: number;
}

const DAY_MS = 86_400_000;
/** A statement takes 65,535 values. */
const ROWS_AT_ONCE = 5000;
const USERS_AT_ONCE = 50;
const FIRST_USER = 7_100_000_000_000_000;
const FIRST_ACCOUNT = 8_100_000_000_000_000;
// All ids are below 2 ** 53.
const FIRST_CAMPAIGN = 8_900_000_000_000_000;

export const accountIdOf = (account: number): string => `act_${FIRST_ACCOUNT + account}`;
export const campaignIdOf = (campaign: number): string => String(FIRST_CAMPAIGN + campaign);
/** In minor units. All values differ and are unsorted, so that every account has some high budgets. */
export const budgetOf = (campaign: number): number => 1000 + ((campaign * 7919) % 1_000_003);

/** As Meta's simulator is seeded with them. */
function usersOf({ users, accountsEach, campaignsEach }: Population) {
  return rangeOf(0, users).map((user) => ({
    ...{ id: String(FIRST_USER + user), name: `User ${user}`, email: `user${user}@example.com` },
    accounts: rangeOf(user * accountsEach, accountsEach).map((account) => ({
      ...{ id: accountIdOf(account), name: `Account ${account}`, currency: 'USD' },
      campaigns: rangeOf(account * campaignsEach, campaignsEach).map((campaign) => ({
        ...{ id: campaignIdOf(campaign), name: `Campaign ${campaign}` },
        daily_budget: String(budgetOf(campaign)),
      })),
    })),
  }));
}

/** Inserts rows into an empty, migrated database, as they look after a while of use. */
export async function plantRows(db: Db, population: Population, at: Date): Promise<void> {
  const users = usersOf(population);
  // Identity columns follow the insertion order: user n has the id n + 1.
  const accounts = users.flatMap((user, n) =>
    user.accounts.map((one) => ({ userId: String(n + 1), ...one })),
  );
  const campaigns = accounts.flatMap(({ userId, id: accountId, campaigns: own }) =>
    own.map((one) => ({ userId, accountId, ...one })),
  );
  const times = { initializedAt: at, loggedInAt: at, createdAt: at };
  const plan = { source: 'stripe', status: 'active', planType: 'monthly', renews: true } as const;
  const currentPeriodEnd = new Date(at.getTime() + 700 * DAY_MS);
  const rows: { [T in keyof Schema]?: Insertable<Schema[T]>[] } = {
    users: users.map(({ id, name, email }) =>
      userRow({ platformUserId: id, name, email, threshold: 'MEDIUM', ...times }),
    ),
    subscriptions: users.map((_user, n) => ({
      userId: String(n + 1),
      currentPeriodEnd,
      accessUntil: currentPeriodEnd,
      ...plan,
    })),
    adAccounts: accounts.map(({ campaigns: _, ...account }) => ({ ...account, seenAt: at })),
    campaigns: campaigns.map(({ id, accountId, name, daily_budget: dailyBudget }) => ({
      ...{ id, accountId, name, dailyBudget, seenAt: at },
      ...{ status: 'ACTIVE', objective: 'OUTCOME_SALES' },
    })),
    campaignLists: accounts.map(({ id }) => ({ accountId: id, readAt: at })),
    smartpauseSettings: campaigns.map(({ userId, id, accountId }) => ({
      ...{ userId, campaignId: id, accountId, setting: 'ON', changedAt: at },
    })),
  };
  for (const [table, all] of Object.entries(rows))
    for (let first = 0; first < all.length; first += ROWS_AT_ONCE)
      await db
        .insertInto(table as 'users')
        .values(all.slice(first, first + ROWS_AT_ONCE) as Insertable<Schema['users']>[])
        .execute();
  await sql`
    insert into work_items (account_id, priority)
    select account_id, sum(daily_budget) from campaigns group by account_id`.execute(db);
}

/** Like plantRows, in place of what stands there; every ad account has the time zone UTC. */
export async function replantRows(db: Db, population: Population, at: Date): Promise<void> {
  await sql`truncate users, work_items, campaigns, campaign_lists, account_jobs, account_wakes, campaign_spend
    restart identity cascade`.execute(db);
  await plantRows(db, population, at);
  await sql`update ad_accounts set time_zone = 'UTC'`.execute(db);
}

/** Stores the platform tokens of the users, by user. */
export async function plantTokens(db: Db, cipher: TokenCipher, tokens: readonly string[], at: Date) {
  const rows = tokens.map((token, n) => ({
    userId: String(n + 1),
    ...cipher.encrypt(token, tokenContext(String(n + 1))),
    ...{ savedAt: at, checkAt: new Date(at.getTime() + DAY_MS) },
  }));
  await db.insertInto('platformTokens').values(rows).execute();
}

/** Creates the same users, ad accounts and campaigns in Meta's simulator. @returns the token of each user */
export async function plantCrowd(graph: ControlClient, population: Population): Promise<string[]> {
  const tokens: string[] = [];
  const all = usersOf(population);
  for (let first = 0; first < all.length; first += USERS_AT_ONCE) {
    const users = all.slice(first, first + USERS_AT_ONCE);
    await graph.post('/seed', { replace: first === 0, users });
    for (const { id: userId } of users)
      tokens.push((await graph.post<{ access_token: string }>('/tokens', { userId })).access_token);
  }
  return tokens;
}

function rangeOf(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
