import { z } from 'zod';
import type { Account, GraphState } from './state.ts';

const digits = z.string().regex(/^\d+$/, 'a text of digits');
export const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'] as const;

const campaignSeed = z.strictObject({
  id: digits,
  name: z.string(),
  status: z.enum(STATUSES).default('ACTIVE'),
  objective: z.string().default('OUTCOME_SALES'),
  daily_budget: digits.nullable().default(null),
  smart_promotion_type: z.string().nullable().default(null),
  start_time: z.string().nullable().default(null),
  stop_time: z.string().nullable().default(null),
});
const accountSeed = z.strictObject({
  id: z.string().regex(/^act_\d+$/),
  name: z.string(),
  currency: z.string(),
  account_status: z.number().int().default(1),
  disable_reason: z.number().int().default(0),
  timezone_name: z.string().default('America/New_York'),
  business: z.strictObject({ id: digits, name: z.string() }).nullable().default(null),
  /** Of this user. */
  user_tasks: z.array(z.string()).default(['MANAGE', 'ADVERTISE', 'ANALYZE']),
  campaigns: z.array(campaignSeed),
});
export const seedBody = z.strictObject({
  replace: z.boolean().default(false),
  users: z.array(
    z.strictObject({
      id: digits,
      name: z.string(),
      email: z.string().nullable().default(null),
      accounts: z.array(accountSeed),
    }),
  ),
});

/** Adds users, accounts and campaigns. Several users can share an account by repeating its id. */
export function plant(state: GraphState, given: z.input<typeof seedBody>): void {
  const seed = seedBody.parse(given);
  if (seed.replace) {
    const { users, accounts, campaigns, tokens, codes, reports } = state;
    for (const map of [users, accounts, campaigns, tokens, codes, reports]) map.clear();
    state.writes.length = 0;
    state.activities.length = 0;
    state.tools.length = 0;
  }
  for (const { accounts, ...user } of seed.users) {
    const permissions = state.users.get(user.id)?.permissions ?? new Map<string, never>();
    const tasks = new Map(accounts.map(({ id, user_tasks }) => [id, user_tasks]));
    state.users.set(user.id, { ...user, accounts: accounts.map(({ id }) => id), tasks, permissions });
    for (const { campaigns, id, name, currency, ...given } of accounts) {
      const { account_status, disable_reason, timezone_name, business } = given;
      const facts = { id, name, currency, account_status, disable_reason, timezone_name, business };
      const account: Account = { ...facts, campaigns: state.accounts.get(facts.id)?.campaigns ?? [] };
      state.accounts.set(facts.id, account);
      for (const one of campaigns) {
        if (!state.campaigns.has(one.id)) account.campaigns.push(one.id);
        state.campaigns.set(one.id, { ...one, account: account.id, stale: null });
      }
    }
  }
}

type CampaignSeed = z.input<typeof campaignSeed>;

const OBJECTIVES = 'SALES LEADS TRAFFIC AWARENESS ENGAGEMENT APP_PROMOTION'.split(' ');
const SEASONS = 'Spring Sale,Summer Drop,Back to School,Black Friday,Holiday Gifts,New Year Reset'.split(',');
const AUDIENCES = 'Prospecting,Retargeting 30d,Lookalike 1%,Broad,Cart Abandoners,VIP Customers'.split(',');

/** Many campaigns with names as agencies give them; some are paused, some have no daily budget. */
function many(count: number, budget: number): Partial<CampaignSeed>[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${SEASONS[index % 6]} | ${AUDIENCES[Math.floor(index / 6) % 6]} | ${'ABC'[index % 3]}`,
    objective: `OUTCOME_${OBJECTIVES[index % 6]}`,
    ...(index % 7 === 6 && { status: 'PAUSED' as const }),
    ...(index % 11 !== 4 && { daily_budget: String(budget * (1 + (index % 5))) }),
  }));
}

function account(
  id: string,
  name: string,
  currency: string,
  campaigns: Partial<CampaignSeed>[],
): z.input<typeof accountSeed> {
  const idOf = (index: number): string => `${id.slice(4, 15)}${String(10_001 + index * 37).padStart(7, '0')}`;
  return {
    id,
    name,
    currency,
    campaigns: campaigns.map((one, index) => ({ name: '', ...one, id: idOf(index) })),
  };
}

/** The users who can log in: the first one is the boss of the README. */
export const DEFAULT_SEED: z.input<typeof seedBody> = {
  replace: true,
  users: [
    {
      id: '122093847561029384',
      name: 'Maya Chen',
      email: 'maya.chen@example.com',
      accounts: [
        account('act_1048576203948571', 'Juniper & Vale Skincare', 'USD', [
          { name: 'Spring Sale | Prospecting', daily_budget: '45000' },
          { name: 'Hydration Serum | Retargeting 30d', daily_budget: '18000' },
          { name: 'Newsletter Sign-ups', daily_budget: '6000', objective: 'OUTCOME_LEADS' },
          { name: 'Brand Film | Video Views', daily_budget: '12500', status: 'PAUSED' },
          { name: 'Quiz Funnel | Lookalike 1%', daily_budget: '9900', objective: 'OUTCOME_LEADS' },
          { name: 'Holiday Gifts 2025', daily_budget: '30000', status: 'ARCHIVED' },
        ]),
        account('act_2048576203948999', 'Juniper & Vale Canada', 'USD', many(12, 2_500)),
      ],
    },
    {
      id: '122093847561055501',
      name: 'Daniel Okafor',
      email: 'daniel@northlane.example',
      accounts: [
        account('act_2204891133870012', 'Northlane Outdoor GmbH', 'EUR', many(40, 3_000)),
        account('act_3204891133870077', 'Northlane Bikes', 'EUR', many(8, 5_500)),
      ],
    },
    {
      id: '122093847561077007',
      name: 'Sofia Lindqvist',
      email: 'sofia@harbourandpine.example',
      accounts: [
        account('act_3310097756421180', 'Harbour & Pine Homeware', 'GBP', [
          ...many(18, 4_000),
          { name: 'Advantage+ Shopping', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' },
        ]),
      ],
    },
  ],
};
