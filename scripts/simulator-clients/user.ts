import type { Card } from '../../simulators/stripe/account.ts';
import type { PlanType } from '../../src/core/billing/subscription.ts';
import type { StripeControlClient } from './stripe.ts';

export interface Answer<T> {
  status: number;
  body: T;
}

interface SetupSettings {
  resumeSettings?: object;
  outageThreshold?: string;
  email?: string;
}

const USUAL_SETUP: SetupSettings = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' };

interface ListedCampaign {
  id: string;
  name: string;
  status: string;
}

interface Wishes {
  /** Gives the user a subscription; null: none. */
  subscribe: (() => Promise<unknown>) | null;
  /** Null: the setup is not completed. */
  setup?: SetupSettings | null;
  /** The campaigns of an ad account that get SmartPause; without it no list is read. */
  protects?: (campaigns: ListedCampaign[]) => ListedCampaign[];
}

/** An advertiser who uses the product over HTTP, like the page does. */
export class UserOverHttp {
  readonly baseUrl: string;
  token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  async call<T = unknown>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<T>> {
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  }

  /** A GET that must succeed. */
  async get<T>(path: string): Promise<T> {
    return this.#must(await this.call<T>('GET', path), path);
  }

  async post<T>(path: string, body?: unknown): Promise<T> {
    return this.#must(await this.call<T>('POST', path, body), path);
  }

  #must<T>(answer: Answer<T>, path: string): T {
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** @returns the address of the hosted checkout */
  async openCheckout(planType: PlanType = 'monthly'): Promise<string> {
    const path = '/api/stripe/create-checkout-session';
    return (await this.post<{ checkoutUrl: string }>(path, { planType })).checkoutUrl;
  }

  /** Completes the hosted checkout, like a browser. A card can fail: the subscription need not be active. */
  async subscribe(stripe: StripeControlClient, planType?: PlanType, card?: Card): Promise<void> {
    await stripe.pay(await this.openCheckout(planType), card);
    await this.post('/api/stripe/refresh-subscription');
  }

  /** @returns the address of the billing portal */
  async openPortal(): Promise<string> {
    return (await this.post<{ portalUrl: string }>('/api/stripe/create-portal-session', {})).portalUrl;
  }

  /** Cancels in the billing portal: the subscription runs until the end of the paid period or the trial. */
  async cancelSubscription(stripe: StripeControlClient): Promise<void> {
    await stripe.portal(await this.openPortal()).cancel();
    await this.post('/api/stripe/refresh-subscription');
  }

  async completeSetup(settings: SetupSettings = {}): Promise<void> {
    const body = { email: 'user@example.com', ...USUAL_SETUP, ...settings };
    this.token = (await this.post<{ token: string }>('/api/user/initialize', body)).token;
  }

  /** The way of the page to a protected campaign, after the login. */
  async becomesAdvertiser({ subscribe, setup = {}, protects }: Wishes): Promise<void> {
    await subscribe?.();
    if (setup !== null) await this.completeSetup(setup);
    if (protects === undefined) return;
    const { adAccounts } = await this.get<{ adAccounts: { id: string }[] }>('/api/ad-accounts');
    for (const { id } of adAccounts) {
      const { campaigns } = await this.get<{ campaigns: ListedCampaign[] }>(`/api/campaigns/${id}`);
      for (const one of protects(campaigns)) await this.setSmartPause(id, one.id, true);
    }
  }

  async setSmartPause(accountId: string, campaignId: string, enabled: boolean): Promise<void> {
    await this.post(`/api/smartpause/${accountId}/${campaignId}`, { enabled });
  }
}

interface LoginOptions {
  /** The Meta user to continue as. */
  userId: string;
  /** Requested permissions to decline. */
  declined?: string[];
  returnTo?: string;
  /** Headers for the requests to the product on the way. */
  headers?: Record<string, string>;
}

/** Confirms Meta's login dialog, like a browser. @returns the product's cookie, and where the dialog leads */
export async function confirmLogin(
  baseUrl: string,
  options: LoginOptions,
): Promise<{ setCookie: string; callback: string }> {
  const { returnTo = '/', userId, declined = [], headers = {} } = options;
  const start = await fetch(`${baseUrl}/auth/facebook?${new URLSearchParams({ returnTo }).toString()}`, {
    headers,
    redirect: 'manual',
  });
  const dialog = new URL(start.headers.get('location') ?? '');
  const form = new URLSearchParams(dialog.searchParams);
  form.set('user', userId);
  for (const scope of (dialog.searchParams.get('scope') ?? '').split(',')) {
    if (!declined.includes(scope)) form.append('granted', scope);
  }
  const consent = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
  const callback = consent.headers.get('location');
  if (callback === null)
    throw new Error(`the login dialog answered ${consent.status}: ${await consent.text()}`);
  return { setCookie: start.headers.get('set-cookie') ?? '', callback };
}

/** Completes the login. @returns the final address */
export async function followLogin(baseUrl: string, options: LoginOptions): Promise<URL> {
  const { setCookie, callback } = await confirmLogin(baseUrl, options);
  const cookie = setCookie.split(';')[0] ?? '';
  const end = await fetch(callback, { headers: { ...options.headers, cookie }, redirect: 'manual' });
  return new URL(end.headers.get('location') ?? '');
}

/** With `becomesAdvertiser` the real way to an advertiser; `plantUser` writes rows alone. */
export async function signIn(baseUrl: string, userId: string): Promise<UserOverHttp> {
  const end = await followLogin(baseUrl, { userId });
  const token = end.searchParams.get('token');
  if (token === null) throw new Error(`the login ended at ${end.pathname}${end.search}`);
  return new UserOverHttp(baseUrl, token);
}
