import { createHmac } from 'node:crypto';
import { followLogin, PersonOverHttp } from '../outside/person.ts';
import type { Simulators } from '../outside/simulators.ts';
import { SIMULATED_APP } from '../outside/simulators.ts';
import type { PersonKey, Role } from './people.ts';
import { PEOPLE, SLOTS, findByKey } from './people.ts';

const TRIES = 5;
const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' };

/** The people of the run with their sessions. Whoever loses one, or leaves, is brought back to where they were. */
export class Cast {
  readonly #url: string;
  readonly #simulators: Simulators;
  readonly #sessions = new Map<PersonKey, string[]>();
  readonly #ended = new Map<PersonKey, string>();
  readonly #returning = new Map<string, Promise<void>>();
  readonly #onToken: (token: string) => void;

  constructor(url: string, simulators: Simulators, onToken: (token: string) => void) {
    this.#url = url;
    this.#simulators = simulators;
    this.#onToken = onToken;
  }

  async enter(): Promise<void> {
    const users = PEOPLE.map(({ userId, name, email, accounts }) => ({ id: userId, name, email, accounts }));
    await this.#simulators.graph.post('/seed', { users });
    for (const { key } of PEOPLE) {
      this.#sessions.set(key, [await this.#signIn(key)]);
      await this.bringToRole(key);
      const first = this.token(key, 0);
      const fresh: string[] = [];
      while (fresh.length < SLOTS) fresh.push(await this.#signIn(key));
      this.#sessions.set(key, fresh);
      await fetch(`${this.#url}/auth/logout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${first}` },
      });
      this.#ended.set(key, first);
    }
  }

  token(key: PersonKey, slot: number): string {
    return this.#sessions.get(key)?.[slot % SLOTS] ?? '';
  }

  endedToken(key: PersonKey): string {
    return this.#ended.get(key) ?? '';
  }

  /** The session was replaced by another one, as at the end of the setup. */
  replace(key: PersonKey, slot: number, token: string): void {
    this.#onToken(token);
    this.#sessions.get(key)?.splice(slot % SLOTS, 1, token);
  }

  /** The session is over: the person logs in again. Two who find that out at once do it once. */
  async renew(key: PersonKey, slot: number, over: string): Promise<void> {
    if (this.token(key, slot) !== over) return;
    const name = `${key} ${slot % SLOTS}`;
    const renewing =
      this.#returning.get(name) ??
      this.#signIn(key)
        .then((token) => void this.#sessions.get(key)?.splice(slot % SLOTS, 1, token))
        .finally(() => this.#returning.delete(name));
    this.#returning.set(name, renewing);
    await renewing;
  }

  /** Whatever requests have done to them: whoever should be subscribed and set up is so again. */
  async bringToRole(key: PersonKey): Promise<void> {
    const { role, email } = findByKey(key);
    const person = new PersonOverHttp(this.#url, this.token(key, 0));
    const me = await person.call<{ user?: { isInitialized: boolean } }>('GET', '/api/me');
    if (me.status === 401) {
      await this.renew(key, 0, person.token);
      person.token = this.token(key, 0);
    }
    if (role === 'administrator') await person.post('/api/admin/clear');
    if (!needsSubscription(role)) return;
    const { hasActiveSubscription } = await person.get<{ hasActiveSubscription: boolean }>(
      '/api/stripe/subscription',
    );
    const { user } = await person.get<{ user: { isInitialized: boolean } }>('/api/me');
    if (
      role === 'lapsed'
        ? user.isInitialized
        : hasActiveSubscription && (role === 'not set up' || user.isInitialized)
    )
      return;
    if (!hasActiveSubscription) await person.subscribe(this.#simulators.stripe);
    if (role === 'not set up') return;
    await person.completeSetup({ ...SETTINGS, email });
    this.replace(key, 0, person.token);
    await person.get('/api/ad-accounts');
    for (const { id, campaigns } of findByKey(key).accounts) {
      await person.get(`/api/campaigns/${id}`);
      for (const campaign of campaigns.slice(0, 2)) await person.setSmartPause(id, campaign.id, true);
    }
    if (role === 'lapsed') await this.#endSubscription(person);
  }

  async bringAllToRole(): Promise<void> {
    for (const { key, role } of PEOPLE) {
      for (let tries = 1; ; tries += 1) {
        try {
          await this.bringToRole(key);
          break;
        } catch (error) {
          // What is under way may come in between; whoever is leaving just now is brought back the next time.
          if (role === 'leaving') break;
          if (tries === TRIES) throw error;
        }
      }
    }
  }

  /** Where the platform's dialog sends somebody back to, not yet followed, and the cookie that belongs to it. */
  async loginReturn(key: PersonKey): Promise<{ query: string; cookie: string }> {
    const start = await fetch(`${this.#url}/auth/facebook`, { redirect: 'manual', headers: fromAnywhere() });
    const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const dialog = new URL(start.headers.get('location') ?? '');
    const form = new URLSearchParams(dialog.searchParams);
    form.set('user', findByKey(key).userId);
    for (const scope of (dialog.searchParams.get('scope') ?? '').split(',')) form.append('granted', scope);
    const consent = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
    return { query: new URL(consent.headers.get('location') ?? '').search, cookie };
  }

  async #signIn(key: PersonKey): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      const end = await followLogin(this.#url, { userId: findByKey(key).userId, headers: fromAnywhere() });
      const token = end.searchParams.get('token');
      if (token !== null) {
        this.#onToken(token);
        return token;
      }
      // The permission may be given back by another request between the dialog and the return.
      if (tries === TRIES) throw new Error(`${key} could not log in: ${end.search}`);
    }
  }

  /** As if it had ended long ago. */
  async #endSubscription(person: PersonOverHttp): Promise<void> {
    const { STRIPE_API_URL: url, STRIPE_SECRET_KEY: key } = this.#simulators.environment;
    const headers = { authorization: `Bearer ${key ?? ''}` };
    const answer = await fetch(`${url ?? ''}/v1/subscriptions?status=all&limit=1`, { headers });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    await this.#simulators.stripe.setStatus(data[0]?.id ?? '', 'canceled');
    await person.post('/api/stripe/refresh-subscription');
  }
}

function needsSubscription(role: Role): boolean {
  return role !== 'newcomer' && role !== 'administrator';
}

let logins = 0;

/** Logins are limited by address, and these are many. */
function fromAnywhere(): Record<string, string> {
  logins += 1;
  return { 'x-forwarded-for': `10.200.${(logins >> 8) % 256}.${logins % 256}` };
}

/** As Meta signs what it sends us. */
export function signedRequest(payload: object): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url');
  const signature = createHmac('sha256', SIMULATED_APP.META_APP_SECRET).update(encoded).digest('base64url');
  return `${signature}.${encoded}`;
}
