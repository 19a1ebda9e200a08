import type { ControlClient } from '../../outside/control-client.ts';
import type { Population } from './population.ts';
import { accountIdOf, budgetOf, campaignIdOf, userIdOf } from './population.ts';

const USERS_AT_ONCE = 200;
const TOKENS_AT_ONCE = 50;

/** Creates the same users, ad accounts and campaigns in Meta's simulator. @returns the token of each user */
export async function plantCrowd(graph: ControlClient, population: Population): Promise<string[]> {
  const users = Array.from({ length: population.users }, (_, user) => user);
  for (const [index, some] of inChunks(users, USERS_AT_ONCE).entries()) {
    await graph.post('/seed', { replace: index === 0, users: some.map((one) => userOf(one, population)) });
  }
  const tokens: string[] = [];
  for (const some of inChunks(users, TOKENS_AT_ONCE)) {
    const given = await Promise.all(
      some.map((one) => graph.post<{ access_token: string }>('/tokens', { userId: userIdOf(one) })),
    );
    tokens.push(...given.map(({ access_token }) => access_token));
  }
  return tokens;
}

function userOf(user: number, { accountsEach, campaignsEach }: Population): object {
  const accounts = Array.from({ length: accountsEach }, (_, index) => user * accountsEach + index);
  return {
    id: userIdOf(user),
    name: `User ${user}`,
    accounts: accounts.map((account) => ({
      id: accountIdOf(account),
      name: `Account ${account}`,
      currency: 'USD',
      campaigns: Array.from({ length: campaignsEach }, (_, index) => account * campaignsEach + index).map(
        (campaign) => ({
          id: campaignIdOf(campaign),
          name: `Campaign ${campaign}`,
          daily_budget: String(budgetOf(campaign)),
        }),
      ),
    })),
  };
}

function inChunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
