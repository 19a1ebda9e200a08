import { beforeAll, describe, expect, test } from 'vitest';
import { EVENTS_PATH } from '#contract/live-updates.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { signIn } from '../../../scripts/simulator-clients/user.ts';

interface Refused {
  error: { code: string };
}

const refused = {
  status: 429,
  retryAfter: expect.stringMatching(/^[1-9]\d?$/) as string,
  code: 'TOO_MANY_REQUESTS',
};

/** Each test has its own users and addresses, since every counter keeps its requests for a minute. */
describe('rate limits', () => {
  const suite = startSuite({
    // The address that the trusted proxy adds is the last one.
    environment: { TRUST_PROXY: '1' },
    rateLimits: {
      ...{ address: 100, logins: 3, metaCallbacks: 4, stripeWebhooks: 5 },
      ...{ user: 90, stripeCalls: 20, metaCalls: 20, lists: 20, openedStreams: 3 },
    },
  });
  let who: Advertiser;
  let other: Advertiser;
  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    other = await suite.advertiser({ campaigns: [] });
  });

  let hosts = 0;
  const newAddress = () => `10.0.0.${++hosts}`;

  async function ask(
    path: string,
    { address = newAddress(), method = 'GET', token = '', headers = {}, body = '' } = {},
  ): Promise<{ status: number; retryAfter: string | null; code?: unknown }> {
    const response = await fetch(suite.product.url + path, {
      method,
      redirect: 'manual',
      ...(body && { body }),
      headers: { 'x-forwarded-for': address, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    });
    const found = { status: response.status, retryAfter: response.headers.get('retry-after') };
    if (response.status === 429) return { ...found, code: ((await response.json()) as Refused).error.code };
    await response.body?.cancel();
    return found;
  }

  /** Sends requests until one is refused. @returns how many were not */
  async function countAllowed(
    most: number,
    send: (index: number) => ReturnType<typeof ask>,
  ): Promise<number> {
    for (let index = 0; index <= most; index += 1) {
      const response = await send(index);
      if (response.status === 429) {
        expect(response).toEqual(refused);
        return index;
      }
    }
    throw new Error(`none of ${most + 1} requests was refused`);
  }

  const LIMITED = {
    // In an outage live updates read lists again and again: no click may wait for that.
    'read lists': [
      ['GET', '/api/ad-accounts'],
      ['GET', '/api/campaigns/act_1'],
    ],
    'reach Meta': [
      ['POST', '/api/campaigns/1/pause'],
      ['GET', '/api/dry-run'],
      ['POST', '/api/campaigns/1/resume'],
      ['POST', '/api/campaigns/1/live-test'],
      ['POST', '/api/account/deauthorize'],
    ],
    'reach Stripe': [
      ['POST', '/api/stripe/refresh-subscription'],
      ['POST', '/api/stripe/create-checkout-session'],
      ['POST', '/api/stripe/create-portal-session'],
      ['POST', '/api/account/delete'],
    ],
    'open a stream': [['GET', EVENTS_PATH]],
  } as const;

  test.each([
    ['read lists', 20],
    ['reach Meta', 20],
    ['reach Stripe', 20],
    ['open a stream', 3],
  ] as const)(
    'calls that %s share a limit of %i, and leave other calls and users alone',
    async (kind, max) => {
      const { token } = who.user;
      const [[method, path]] = LIMITED[kind];
      const allowed = await countAllowed(max, () => ask(path, { method, token }));
      // The setup of the advertiser made a few of these calls.
      expect(allowed).toBeGreaterThan(max / 2);
      expect(allowed).toBeLessThanOrEqual(max);
      for (const [how, limited] of LIMITED[kind])
        expect([limited, await ask(limited, { method: how, token })]).toEqual([limited, refused]);
      expect((await ask('/api/me', { token })).status).toBe(200);
      expect((await ask(path, { method, token: other.user.token })).status).not.toBe(429);
    },
  );

  test('a user is counted across sessions and addresses', async () => {
    const tokens = [who.user.token, (await signIn(suite.product.url, who.userId)).token];
    const allowed = await countAllowed(90, (index) => ask('/api/me', { token: tokens[index % 2] ?? '' }));
    expect(allowed).toBeLessThanOrEqual(90);
    for (const token of tokens) expect(await ask('/api/me', { token })).toEqual(refused);
    expect((await ask('/api/me', { token: other.user.token })).status).toBe(200);
  });

  test.each([
    ['a login', 3, 'GET', '/auth/facebook'],
    ['the return from a login', 3, 'GET', '/auth/facebook/callback?state=a'],
    ['a removal of the app', 4, 'POST', '/auth/facebook/deauthorize'],
    ['a deletion request', 4, 'POST', '/auth/facebook/data-deletion'],
    ['a webhook of Stripe', 5, 'POST', '/webhooks/stripe'],
  ])('%s is counted by address, and forged headers do not change it', async (_name, max, method, path) => {
    const address = newAddress();
    const allowed = await countAllowed(max, (index) =>
      ask(path, {
        method,
        address: `10.9.9.${index}, ${address}`,
        headers: { 'x-real-ip': `10.9.8.${index}`, forwarded: `for=10.9.7.${index}` },
      }),
    );
    expect(allowed).toBe(max);
    expect((await ask(path, { method })).status).not.toBe(429);
  });

  test('unauthenticated requests are counted by address, whatever their path or token', async () => {
    const address = newAddress();
    const paths = ['/api/me', '/status', '/nowhere', '/assets/nothing.js'];
    const send = (index: number) =>
      ask(paths[index % 4] ?? '', { address, token: String(index).padStart(43, 'a') });
    expect(await countAllowed(100, send)).toBe(100);
  });
});
