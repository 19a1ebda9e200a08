import type { ControlDoor } from '../../outside/control-door.ts';
import type { Population } from './population.ts';
import { accountIdOf, budgetOf, campaignIdOf, userIdOf } from './population.ts';

const PEOPLE_AT_ONCE = 200;
const TOKENS_AT_ONCE = 50;

/** The same people, ad accounts and campaigns on the simulated platform; the answer is each person's token. */
export async function plantCrowd(graph: ControlDoor, population: Population): Promise<string[]> {
  const people = Array.from({ length: population.people }, (_, person) => person);
  for (const [index, some] of inChunks(people, PEOPLE_AT_ONCE).entries()) {
    await graph.post('/seed', { replace: index === 0, users: some.map((one) => userOf(one, population)) });
  }
  const tokens: string[] = [];
  for (const some of inChunks(people, TOKENS_AT_ONCE)) {
    const given = await Promise.all(
      some.map((one) => graph.post<{ access_token: string }>('/tokens', { userId: userIdOf(one) })),
    );
    tokens.push(...given.map(({ access_token }) => access_token));
  }
  return tokens;
}

function userOf(person: number, { accountsEach, campaignsEach }: Population): object {
  const accounts = Array.from({ length: accountsEach }, (_, index) => person * accountsEach + index);
  return {
    id: userIdOf(person),
    name: `Person ${person}`,
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
