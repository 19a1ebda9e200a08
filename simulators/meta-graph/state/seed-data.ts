import type { SeedInput } from './seed.ts';

const OBJECTIVES = [
  'OUTCOME_SALES',
  'OUTCOME_LEADS',
  'OUTCOME_TRAFFIC',
  'OUTCOME_AWARENESS',
  'OUTCOME_ENGAGEMENT',
  'OUTCOME_APP_PROMOTION',
];

interface Line {
  name: string;
  objective: number;
  budget: number;
  status?: 'PAUSED' | 'ARCHIVED';
  /** A lifetime budget instead of a daily one: SmartPause reads only daily ones. */
  lifetime?: boolean;
  /** A legacy Advantage+ shopping campaign. */
  legacy?: boolean;
}

/** 'Spring Sale | Prospecting' style: one line for each campaign, budgets in the account's minor unit. */
function campaignsOf(prefix: string, lines: Line[]) {
  return lines.map(({ name, objective, budget, status, lifetime, legacy }, index) => ({
    id: `${prefix}${String(10_001 + index * 37).padStart(7, '0')}`,
    name,
    ...(status && { status }),
    objective: OBJECTIVES[objective] ?? 'OUTCOME_SALES',
    ...(legacy === true && { smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' }),
    ...(lifetime !== true && { daily_budget: String(budget) }),
  }));
}

const SEASONS = [
  'Spring Sale',
  'Summer Drop',
  'Back to School',
  'Black Friday',
  'Holiday Gifts',
  'New Year Reset',
];
const AUDIENCES = [
  'Prospecting',
  'Retargeting 30d',
  'Lookalike 1%',
  'Broad',
  'Cart Abandoners',
  'VIP Customers',
];

/** Many campaigns with names as agencies give them; some are paused, some have a lifetime budget. */
function manyLines(count: number, budget: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${SEASONS[index % 6] ?? ''} | ${AUDIENCES[Math.floor(index / 6) % 6] ?? ''} | ${String.fromCharCode(65 + (index % 3))}`,
    objective: index % 6,
    budget: budget * (1 + (index % 5)),
    ...(index % 7 === 6 ? { status: 'PAUSED' as const } : {}),
    ...(index % 11 === 4 ? { lifetime: true } : {}),
  }));
}

export const DEFAULT_SEED: SeedInput = {
  replace: true,
  users: [
    {
      id: '122093847561029384',
      name: 'Maya Chen',
      email: 'maya.chen@example.com',
      accounts: [
        {
          id: 'act_1048576203948571',
          name: 'Juniper & Vale Skincare',
          currency: 'USD',
          campaigns: campaignsOf('12020938475', [
            { name: 'Spring Sale | Prospecting', objective: 0, budget: 45_000 },
            { name: 'Hydration Serum | Retargeting 30d', objective: 0, budget: 18_000 },
            { name: 'Newsletter Sign-ups', objective: 1, budget: 6_000 },
            { name: 'Brand Film | Video Views', objective: 3, budget: 12_500, status: 'PAUSED' },
            { name: 'Quiz Funnel | Lookalike 1%', objective: 1, budget: 9_900 },
            { name: 'Holiday Gifts 2025', objective: 0, budget: 30_000, status: 'ARCHIVED' },
          ]),
        },
        {
          id: 'act_1048576203948999',
          name: 'Juniper & Vale Canada',
          currency: 'USD',
          campaigns: campaignsOf('12020938499', manyLines(12, 2_500)),
        },
      ],
    },
    {
      id: '122093847561055501',
      name: 'Daniel Okafor',
      email: 'daniel@northlane.example',
      accounts: [
        {
          id: 'act_2204891133870012',
          name: 'Northlane Outdoor GmbH',
          currency: 'EUR',
          campaigns: campaignsOf('23850119922', manyLines(40, 3_000)),
        },
        {
          id: 'act_2204891133870077',
          name: 'Northlane Bikes',
          currency: 'EUR',
          campaigns: campaignsOf('23850119977', manyLines(8, 5_500)),
        },
      ],
    },
    {
      id: '122093847561077007',
      name: 'Sofia Lindqvist',
      email: 'sofia@harbourandpine.example',
      accounts: [
        {
          id: 'act_3310097756421180',
          name: 'Harbour & Pine Homeware',
          currency: 'GBP',
          campaigns: campaignsOf('33100977564', [
            ...manyLines(18, 4_000),
            { name: 'Advantage+ Shopping', objective: 0, budget: 6_000, legacy: true },
          ]),
        },
      ],
    },
    {
      id: '122093847561099123',
      name: 'Tom Becker',
      email: 'tom@beckertravel.example',
      accounts: [
        {
          id: 'act_4418820019930046',
          name: 'Becker Travel Tokyo',
          currency: 'JPY',
          campaigns: campaignsOf('44188200199', manyLines(10, 8_000)),
        },
        {
          id: 'act_4418820019930111',
          name: 'Becker Travel (closed)',
          currency: 'USD',
          account_status: 2,
          campaigns: campaignsOf('44188200111', manyLines(5, 1_000)),
        },
      ],
    },
    {
      id: '122093847561120648',
      name: 'Priya Raman',
      email: 'priya@oakandember.example',
      accounts: [
        {
          id: 'act_5520073918846302',
          name: 'Oak & Ember Coffee',
          currency: 'USD',
          campaigns: campaignsOf('55200739188', [
            { name: 'Subscription | Prospecting', objective: 0, budget: 7_500 },
            { name: 'Subscription | Retargeting 14d', objective: 0, budget: 3_000 },
            { name: 'Store Visits Portland', objective: 3, budget: 2_500 },
            { name: 'Gift Cards', objective: 0, budget: 1_500, status: 'PAUSED' },
            { name: 'Wholesale Leads', objective: 1, budget: 2_000 },
          ]),
        },
      ],
    },
  ],
};
