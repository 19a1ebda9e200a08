import type { Graph } from '../../../simulators/meta-graph/graph.ts';
import { plant } from '../../../simulators/meta-graph/seed.ts';
import type { Random } from '../../fixtures/random.ts';

/** The users of every history. They share the first ad account. */
export const USERS = [
  { userId: '7000001', name: 'User A', email: 'a@example.com', accounts: ['act_8000001'] },
  { userId: '7000002', name: 'User B', email: 'b@example.com', accounts: ['act_8000002', 'act_8000001'] },
];
export type FixtureUser = (typeof USERS)[number];
export const ACCOUNTS = ['act_8000001', 'act_8000002'];
const ZONES: Record<string, string> = { act_8000002: 'Asia/Kolkata' };
export const CAMPAIGNS = ACCOUNTS.flatMap((accountId, index) =>
  [0, 1].map((n) => ({ id: `900000${index}${n}`, accountId, name: `Campaign ${index}.${n}` })),
);
/** The numbers of the campaigns that both users have, and of all. */
export const SHARED = [0, 1];
export const ALL = [0, 1, 2, 3];

export function plantFixture(graph: Graph, random: Random): void {
  const seeds = ACCOUNTS.map((account) => ({
    ...{ id: account, name: `Account ${account}`, currency: 'USD', account_status: 1 },
    timezone_name: ZONES[account] ?? 'America/New_York',
    campaigns: CAMPAIGNS.filter(({ accountId }) => accountId === account).map(({ id, name }) => ({
      ...{ id, name, objective: 'OUTCOME_SALES', daily_budget: String(random.whole(100, 9999)) },
      status: random.chance(0.8) ? ('ACTIVE' as const) : ('PAUSED' as const),
    })),
  }));
  const users = USERS.map(({ userId: id, accounts, ...user }) => {
    return { ...user, id, accounts: seeds.filter((seed) => accounts.includes(seed.id)) };
  });
  plant(graph.state, { replace: true, users });
}
