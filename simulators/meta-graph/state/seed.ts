import { z } from 'zod';
import { STATUSES } from '../writes.ts';
import type { Account, GraphState, User } from './state.ts';

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
          account_status: z.number().int().default(1),
          campaigns: z.array(
            z.strictObject({
              id: digits,
              name: z.string(),
              status: z.enum(STATUSES).default('ACTIVE'),
              objective: z.string().default('OUTCOME_SALES'),
              daily_budget: digits.optional(),
              smart_promotion_type: z.string().optional(),
              start_time: z.string().optional(),
              stop_time: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type SeedInput = z.input<typeof seedBody>;

/** Adds users, accounts and campaigns. Several users can share an account by repeating its id. */
export function plant(state: GraphState, seed: z.infer<typeof seedBody>): void {
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
      for (const one of campaigns) {
        if (!state.campaigns.has(one.id)) account.campaigns.push(one.id);
        const { daily_budget = null, smart_promotion_type = null, start_time = null, stop_time = null } = one;
        const optional = { daily_budget, smart_promotion_type, start_time, stop_time };
        state.campaigns.set(one.id, { ...one, ...optional, account: account.id, stale: null });
      }
    }
  }
}
