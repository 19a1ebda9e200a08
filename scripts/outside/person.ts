import type { StripeDoor } from './stripe.ts';

export interface Answer<T> {
  status: number;
  body: T;
}

/** Somebody who uses the product over HTTP, as the page would. */
export class PersonOverHttp {
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

  /** The same, for what must not fail. */
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

  /** Through the hosted checkout, the way a browser would. */
  async subscribe(stripe: StripeDoor, planType: 'monthly' | 'yearly' = 'monthly'): Promise<void> {
    const { checkoutUrl } = await this.post<{ checkoutUrl: string }>('/api/stripe/create-checkout-session', {
      planType,
    });
    await stripe.pay(checkoutUrl);
    const path = '/api/stripe/refresh-subscription';
    const state = await this.post<{ hasActiveSubscription: boolean }>(path);
    if (!state.hasActiveSubscription) throw new Error('paid, and not subscribed all the same');
  }

  /** In the billing portal: it goes on to the end of what is paid for, or of the trial. */
  async cancelSubscription(stripe: StripeDoor): Promise<void> {
    const { portalUrl } = await this.post<{ portalUrl: string }>('/api/stripe/create-portal-session', {});
    await stripe.portal(portalUrl).cancel();
    await this.post('/api/stripe/refresh-subscription');
  }

  async completeSetup(settings: {
    resumeSettings: object;
    outageThreshold: string;
    email?: string;
  }): Promise<void> {
    const body = { email: 'person@example.com', ...settings };
    this.token = (await this.post<{ token: string }>('/api/user/initialize', body)).token;
  }

  async setSmartPause(accountId: string, campaignId: string, enabled: boolean): Promise<void> {
    await this.post(`/api/smartpause/${accountId}/${campaignId}`, { enabled });
  }
}

interface LoginOptions {
  /** The platform user to continue as. */
  userId: string;
  /** Permissions to leave out of those asked for. */
  declined?: string[];
  returnTo?: string;
  /** To be sent to the product along the way. */
  headers?: Record<string, string>;
}

/** Goes through the platform's login dialog, the way a browser would. The answer is where it ends. */
export async function followLogin(baseUrl: string, options: LoginOptions): Promise<URL> {
  const { returnTo = '/', userId, declined = [], headers = {} } = options;
  const start = await fetch(`${baseUrl}/auth/facebook?${new URLSearchParams({ returnTo }).toString()}`, {
    headers,
    redirect: 'manual',
  });
  const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const dialog = new URL(start.headers.get('location') ?? '');
  const form = new URLSearchParams(dialog.searchParams);
  form.set('user', userId);
  for (const scope of (dialog.searchParams.get('scope') ?? '').split(',')) {
    if (!declined.includes(scope)) form.append('granted', scope);
  }
  const consent = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
  const back = consent.headers.get('location');
  if (back === null) throw new Error(`the login dialog answered ${consent.status}: ${await consent.text()}`);
  const end = await fetch(back, { headers: { ...headers, cookie }, redirect: 'manual' });
  return new URL(end.headers.get('location') ?? '');
}

export async function signIn(baseUrl: string, userId: string): Promise<PersonOverHttp> {
  const end = await followLogin(baseUrl, { userId });
  const token = end.searchParams.get('token');
  if (token === null) throw new Error(`the login ended at ${end.pathname}${end.search}`);
  return new PersonOverHttp(baseUrl, token);
}
