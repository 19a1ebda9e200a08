import { z } from 'zod';
import { isTimeZone } from './platform-time.ts';
import type { Account, Campaign, GraphState, User } from './state.ts';

const digits = z.string().regex(/^\d+$/, 'a text of digits');

export const seedBody = z.strictObject({
  replace: z.boolean().default(false),
  users: z.array(
    z.strictObject({
      id: digits,
      name: z.string(),
      email: z.string().optional(),
      accounts: z.array(
        z.strictObject({
          id: z.string().regex(/^act_\d+$/),
          name: z.string(),
          currency: z.string(),
          timezone_name: z.string().default('America/New_York').refine(isTimeZone, 'no time zone'),
          account_status: z.number().int().default(1),
          campaigns: z.array(
            z.strictObject({
              id: digits,
              name: z.string(),
              status: z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']).default('ACTIVE'),
              objective: z.string().default('OUTCOME_SALES'),
              daily_budget: digits.optional(),
              lifetime_budget: digits.optional(),
              smart_promotion_type: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type Seed = z.infer<typeof seedBody>;
type SeedUser = Seed['users'][number];
type SeedCampaign = SeedUser['accounts'][number]['campaigns'][number];

/** Adds people, accounts and campaigns. Several people may share an account by naming its id again. */
export function plant(state: GraphState, seed: Seed): void {
  if (seed.replace) {
    for (const map of [state.users, state.accounts, state.campaigns, state.tokens, state.codes]) map.clear();
    state.writes.length = 0;
    state.activities.length = 0;
  }
  for (const { id, name, email, accounts } of seed.users) {
    const user: User = {
      id,
      name,
      email: email ?? null,
      accounts: accounts.map((one) => one.id),
      permissions: state.users.get(id)?.permissions ?? new Map<string, never>(),
    };
    state.users.set(id, user);
    for (const { campaigns, ...given } of accounts) {
      const account: Account = { ...given, campaigns: state.accounts.get(given.id)?.campaigns ?? [] };
      state.accounts.set(given.id, account);
      for (const one of campaigns) plantCampaign(state, account, one);
    }
  }
}

const FIRST_CREATED = Date.parse('2025-08-04T13:20:00Z');
const HOUR_MS = 3_600_000;

/** The times look lived-in and are the same in every run. */
function plantCampaign(state: GraphState, account: Account, given: SeedCampaign): void {
  const created = FIRST_CREATED + (Number(given.id.slice(-6)) % 2000) * HOUR_MS;
  const campaign: Campaign = {
    ...given,
    account: account.id,
    daily_budget: given.daily_budget ?? null,
    lifetime_budget: given.lifetime_budget ?? null,
    smart_promotion_type: given.smart_promotion_type ?? null,
    created_time: created,
    updated_time: created + (Number(given.id.slice(-4)) % 300) * HOUR_MS,
    inProcessUntil: 0,
    stale: null,
  };
  if (!state.campaigns.has(given.id)) account.campaigns.push(given.id);
  state.campaigns.set(given.id, campaign);
}
