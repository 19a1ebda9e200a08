const KEYS = ['maya', 'omar', 'nora', 'boss', 'lena'] as const;
/** `maya` and `omar` are set up, `boss` is an admin, `lena` deletes her account repeatedly and signs in again. */
export type Key = (typeof KEYS)[number];

/** All data of a user contains the user's number, so that a leak is recognised anywhere. */
export const USERS = KEYS.map((key, index) => {
  const number = `0${index + 1}`;
  const account = { id: `act_8880000${number}000001`, name: `Cnry${number} account`, currency: 'USD' };
  const campaigns = ['ACTIVE', 'ACTIVE', 'PAUSED'].map((status, one) => ({
    ...{ id: `9990000${number}00000${one}`, name: `Cnry${number} campaign ${one}`, status },
  }));
  const [name, email] = [`Cnry${number} User`, `cnry${number}@example.com`];
  return { key, number, id: `7770000${number}000001`, name, email, accounts: [{ ...account, campaigns }] };
});
type FuzzUser = (typeof USERS)[number];

export function userOf(key: Key): FuzzUser {
  return USERS[KEYS.indexOf(key)] as FuzzUser;
}

export function idsOf({ accounts }: FuzzUser): string[] {
  return accounts.flatMap(({ id, campaigns }) => [id, ...campaigns.map((one) => one.id)]);
}

const MARK = /cnry(\d\d)|(?<!\d)(?:777|888|999)0000(\d\d)\d{6}(?!\d)/gi;

/** The data of users in a text, each with the number of its user. */
export function marksIn(text: string): { mark: string; number: string }[] {
  return [...text.matchAll(MARK)].map(([mark, name, id]) => ({ mark, number: name ?? id ?? '' }));
}
