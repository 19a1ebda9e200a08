import { plant } from '../../../simulators/meta-graph/seed.ts';
import type { Graph } from '../../../simulators/meta-graph/graph.ts';
import type { Random } from '../../fixtures/random.ts';

export interface FixtureUser {
  userId: string;
  name: string;
  email: string;
  accounts: string[];
}

/** Users, ad accounts and campaigns before the first event. */
export interface Fixture {
  users: FixtureUser[];
  accounts: string[];
  /** In the order of their accounts. */
  campaigns: { id: string; accountId: string; name: string }[];
}

/** One to three users with one or two ad accounts each; sometimes two share one. */
export function generateFixture(random: Random): Fixture {
  const count = random.pick([1, 2, 2, 3]);
  const accounts: string[] = [];
  const users = Array.from({ length: count }, (_one, index): FixtureUser => {
    const own = Array.from({ length: random.pick([1, 1, 2]) }, (_two, n) => {
      return `act_8${String(accounts.length + n).padStart(6, '0')}`;
    });
    accounts.push(...own);
    if (index > 0 && random.chance(0.35)) own.push(accounts[0] ?? '');
    const userId = `7${String(index).padStart(6, '0')}`;
    return { userId, name: `User ${'ABC'[index] ?? ''}`, email: `user${index}@example.com`, accounts: own };
  });
  const campaigns = accounts.flatMap((accountId, index) =>
    Array.from({ length: random.whole(1, 3) }, (_one, n) => {
      const id = `9${String(index).padStart(3, '0')}${String(n).padStart(3, '0')}`;
      return { id, accountId, name: `Campaign ${index}.${n}` };
    }),
  );
  return { users, accounts, campaigns };
}

export function plantFixture(graph: Graph, { users, accounts, campaigns }: Fixture, random: Random): void {
  const seeds = accounts.map((account) => ({
    ...{ id: account, name: `Account ${account}`, currency: 'USD', account_status: 1 },
    campaigns: campaigns
      .filter(({ accountId }) => accountId === account)
      .map(({ id, name }) => {
        const status = random.chance(0.8) ? ('ACTIVE' as const) : ('PAUSED' as const);
        return {
          id,
          name,
          status,
          objective: 'OUTCOME_SALES',
          daily_budget: String(random.whole(100, 9999)),
        };
      }),
  }));
  plant(graph.state, {
    replace: true,
    users: users.map(({ userId: id, accounts: own, ...user }) => {
      return { ...user, id, accounts: own.flatMap((one) => seeds.filter((seed) => seed.id === one)) };
    }),
  });
}
