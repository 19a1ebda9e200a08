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
  const users: FixtureUser[] = [];
  const accounts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const own: string[] = [];
    for (let n = random.pick([1, 1, 2]); n > 0; n -= 1) {
      const id = `act_8${String(accounts.length).padStart(6, '0')}`;
      accounts.push(id);
      own.push(id);
    }
    const shared = accounts[0];
    if (index > 0 && shared !== undefined && random.chance(0.35)) own.push(shared);
    users.push({
      userId: `7${String(index).padStart(6, '0')}`,
      name: `User ${'ABC'[index] ?? ''}`,
      email: `user${index}@example.com`,
      accounts: own,
    });
  }
  const campaigns = accounts.flatMap((accountId, index) =>
    Array.from({ length: random.whole(1, 3) }, (_one, n) => ({
      id: `9${String(index).padStart(3, '0')}${String(n).padStart(3, '0')}`,
      accountId,
      name: `Campaign ${index}.${n}`,
    })),
  );
  return { users, accounts, campaigns };
}

export function plantFixture(graph: Graph, fixture: Fixture, random: Random): void {
  const isPlanted = new Set<string>();
  const accountsOf = ({ accounts }: FixtureUser) =>
    accounts.map((id) => {
      const isFirst = !isPlanted.has(id);
      isPlanted.add(id);
      const campaigns = isFirst ? fixture.campaigns.filter(({ accountId }) => accountId === id) : [];
      return {
        id,
        name: `Account ${id}`,
        currency: 'USD',
        account_status: 1,
        campaigns: campaigns.map((one) => ({
          id: one.id,
          name: one.name,
          status: random.chance(0.8) ? ('ACTIVE' as const) : ('PAUSED' as const),
          objective: 'OUTCOME_SALES',
          daily_budget: String(random.whole(100, 9999)),
        })),
      };
    });
  plant(graph.state, {
    replace: true,
    users: fixture.users.map((one) => ({
      id: one.userId,
      name: one.name,
      email: one.email,
      accounts: accountsOf(one),
    })),
  });
}
