import { followLogin, UserOverHttp } from '../../scripts/outside/user.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';

/** `lena` revokes the access and deletes her account repeatedly, and signs in again. */
export const KEYS = ['maya', 'omar', 'nora', 'boss', 'lena'] as const;
export type Key = (typeof KEYS)[number];

/** All data of a user contains the user's number, so that a leak is recognised anywhere. */
export const USERS = KEYS.map((key, index) => {
  const number = String(index + 1).padStart(2, '0');
  const accounts = [1, 2].map((of) => ({
    id: `act_8880000${number}00000${of}`,
    name: `Cnry${number} account ${of}`,
    currency: 'USD',
    campaigns: [0, 1, 2].map((one) => ({
      id: `9990000${number}0000${of}${one}`,
      name: `Cnry${number} campaign ${of}${one}`,
      status: one === 2 ? 'PAUSED' : 'ACTIVE',
    })),
  }));
  const email = `cnry${number}@example.com`;
  return { key, number, id: `7770000${number}000001`, name: `Cnry${number} User`, email, accounts };
});
export type FuzzUser = (typeof USERS)[number];

export function userOf(key: Key): FuzzUser {
  const found = USERS.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no user ${key}`);
  return found;
}

export function idsOf({ accounts }: FuzzUser): string[] {
  return accounts.flatMap(({ id, campaigns }) => [id, ...campaigns.map((one) => one.id)]);
}

const MARK = /cnry(\d\d)|(?<!\d)(?:777|888|999)0000(\d\d)\d{6}(?!\d)/gi;

/** The numbers of the users whose data a text contains. */
export function numbersIn(text: string): Set<string> {
  return new Set([...text.matchAll(MARK)].map(([, name, id]) => name ?? id ?? ''));
}

/** The sessions of the users. A user whose session ended signs in again. */
export class Sessions {
  readonly #url: string;
  readonly #tokens = new Map<Key, string>();
  readonly #renewing = new Map<Key, Promise<void>>();
  /** All tokens, ended sessions included. */
  readonly all = new Set<string>();
  #logins = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** `maya` and `omar` are subscribed and set up; the others have only signed in. */
  async enter(simulators: Simulators): Promise<void> {
    const users = USERS.map(({ id, name, email, accounts }) => ({ id, name, email, accounts }));
    await simulators.graph.post('/seed', { users });
    for (const { key, email, accounts } of USERS) {
      await this.renew(key, this.token(key));
      if (key !== 'maya' && key !== 'omar') continue;
      const user = new UserOverHttp(this.#url, this.token(key));
      await user.subscribe(simulators.stripe);
      await user.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email });
      this.replace(key, user.token);
      await user.get('/api/ad-accounts');
      for (const { id } of accounts) await user.get(`/api/campaigns/${id}`);
    }
  }

  token(key: Key): string {
    return this.#tokens.get(key) ?? '';
  }

  replace(key: Key, token: string): void {
    this.#tokens.set(key, token);
    this.all.add(token);
  }

  /** Signs in again unless the token was already replaced. */
  async renew(key: Key, used: string): Promise<void> {
    if (this.token(key) !== used) return;
    const renewing = this.#renewing.get(key) ?? this.#signIn(key).finally(() => this.#renewing.delete(key));
    this.#renewing.set(key, renewing);
    await renewing;
  }

  async #signIn(key: Key): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      this.#logins += 1;
      // Logins are limited by address.
      const headers = { 'x-forwarded-for': `10.200.${(this.#logins >> 8) % 256}.${this.#logins % 256}` };
      const end = await followLogin(this.#url, { userId: userOf(key).id, headers });
      const token = end.searchParams.get('token');
      if (token === null) continue;
      this.replace(key, token);
      return;
    }
    throw new Error(`${key} could not sign in`);
  }
}
