/** Who takes part. What is theirs carries their number, by which it is known again wherever it turns up. */
export type Role = 'advertiser' | 'lapsed' | 'not set up' | 'newcomer' | 'administrator' | 'leaving';

export const PERSON_KEYS = ['maya', 'omar', 'lapsed', 'uma', 'nora', 'boss', 'dora', 'dirk'] as const;
export type PersonKey = (typeof PERSON_KEYS)[number];

interface FuzzPerson {
  key: PersonKey;
  role: Role;
  number: string;
  userId: string;
  name: string;
  email: string;
  accounts: {
    id: string;
    name: string;
    currency: string;
    campaigns: { id: string; name: string; status: 'ACTIVE' | 'PAUSED' }[];
  }[];
}

/** Sessions of each person: calls that ask Stripe are limited by session. */
export const SLOTS = 6;

const ROLES: Record<PersonKey, Role> = {
  maya: 'advertiser',
  omar: 'advertiser',
  lapsed: 'lapsed',
  uma: 'not set up',
  nora: 'newcomer',
  boss: 'administrator',
  // These two leave again and again, and come back.
  dora: 'leaving',
  dirk: 'newcomer',
};

export const PEOPLE: FuzzPerson[] = PERSON_KEYS.map((key, index) => makePerson(key, index + 1));

function makePerson(key: PersonKey, index: number): FuzzPerson {
  const number = String(index).padStart(2, '0');
  const campaigns = (of: number) =>
    Array.from({ length: 3 }, (_, one) => ({
      id: `9990000${number}0000${of}${one}`,
      name: `Cnry${number} campaign ${of}${one}`,
      status: one === 2 ? ('PAUSED' as const) : ('ACTIVE' as const),
    }));
  return {
    key,
    role: ROLES[key],
    number,
    userId: `7770000${number}000001`,
    name: `Cnry${number} Person`,
    email: `cnry${number}@example.com`,
    accounts: [1, 2].map((of) => ({
      id: `act_8880000${number}00000${of}`,
      name: `Cnry${number} account ${of}`,
      currency: 'USD',
      campaigns: campaigns(of),
    })),
  };
}

export function findByKey(key: PersonKey): FuzzPerson {
  const found = PEOPLE.find((person) => person.key === key);
  if (found === undefined) throw new Error(`there is no ${key}`);
  return found;
}

/** Ids of accounts and campaigns, everybody's. */
export const KNOWN_IDS: string[] = PEOPLE.flatMap(({ accounts }) =>
  accounts.flatMap(({ id, campaigns }) => [id, ...campaigns.map((campaign) => campaign.id)]),
);

/** Stand for the caller's own sessions, whose ids only the running product knows; digits, as the contract wants. */
export const OWN_SESSIONS = Array.from({ length: SLOTS }, (_, index) => `11111111111111111${index}`);

const MARK = /cnry(\d\d)|(?<!\d)(?:777|888|999)0000(\d\d)\d{6}(?!\d)/gi;

/** Whose things a text names, by their numbers. */
export function numbersIn(text: string): Set<string> {
  return new Set([...text.matchAll(MARK)].map(([, name, id]) => name ?? id ?? ''));
}
