import type { SeedInput } from './seed.ts';

type Account = SeedInput['users'][number]['accounts'][number];
type Campaign = Account['campaigns'][number];

const OBJECTIVES = ['SALES', 'LEADS', 'TRAFFIC', 'AWARENESS', 'ENGAGEMENT', 'APP_PROMOTION'];
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

/** Many campaigns with names as agencies give them; some are paused, some have no daily budget. */
function many(count: number, budget: number): Partial<Campaign>[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${SEASONS[index % 6] ?? ''} | ${AUDIENCES[Math.floor(index / 6) % 6] ?? ''} | ${'ABC'[index % 3] ?? ''}`,
    objective: `OUTCOME_${OBJECTIVES[index % 6] ?? ''}`,
    ...(index % 7 === 6 && { status: 'PAUSED' as const }),
    ...(index % 11 !== 4 && { daily_budget: String(budget * (1 + (index % 5))) }),
  }));
}

function account(digits: string, name: string, currency: string, campaigns: Partial<Campaign>[]): Account {
  return {
    id: `act_${digits}`,
    name,
    currency,
    campaigns: campaigns.map((one, index) => ({
      name: '',
      ...one,
      id: `${digits.slice(0, 11)}${String(10_001 + index * 37).padStart(7, '0')}`,
    })),
  };
}

const sale = (name: string, budget: number, more: Partial<Campaign> = {}): Partial<Campaign> => ({
  name,
  daily_budget: String(budget),
  ...more,
});

/** The users who can log in: the first one is the boss of the README. */
export const DEFAULT_SEED: SeedInput = {
  replace: true,
  users: [
    {
      id: '122093847561029384',
      name: 'Maya Chen',
      email: 'maya.chen@example.com',
      accounts: [
        account('1048576203948571', 'Juniper & Vale Skincare', 'USD', [
          sale('Spring Sale | Prospecting', 45_000),
          sale('Hydration Serum | Retargeting 30d', 18_000),
          sale('Newsletter Sign-ups', 6_000, { objective: 'OUTCOME_LEADS' }),
          sale('Brand Film | Video Views', 12_500, { status: 'PAUSED', objective: 'OUTCOME_AWARENESS' }),
          sale('Quiz Funnel | Lookalike 1%', 9_900, { objective: 'OUTCOME_LEADS' }),
          sale('Holiday Gifts 2025', 30_000, { status: 'ARCHIVED' }),
        ]),
        account('2048576203948999', 'Juniper & Vale Canada', 'USD', many(12, 2_500)),
      ],
    },
    {
      id: '122093847561055501',
      name: 'Daniel Okafor',
      email: 'daniel@northlane.example',
      accounts: [
        account('2204891133870012', 'Northlane Outdoor GmbH', 'EUR', many(40, 3_000)),
        account('3204891133870077', 'Northlane Bikes', 'EUR', many(8, 5_500)),
      ],
    },
    {
      id: '122093847561077007',
      name: 'Sofia Lindqvist',
      email: 'sofia@harbourandpine.example',
      accounts: [
        account('3310097756421180', 'Harbour & Pine Homeware', 'GBP', [
          ...many(18, 4_000),
          sale('Advantage+ Shopping', 6_000, { smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' }),
        ]),
      ],
    },
    {
      id: '122093847561099123',
      name: 'Tom Becker',
      email: 'tom@beckertravel.example',
      accounts: [
        account('4418820019930046', 'Becker Travel Tokyo', 'JPY', many(10, 8_000)),
        {
          ...account('5418820019930111', 'Becker Travel (closed)', 'USD', many(5, 1_000)),
          account_status: 2,
        },
      ],
    },
  ],
};
