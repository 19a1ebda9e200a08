import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../test/support/product.ts';
import { startSuite } from '../../test/support/suite.ts';
import { signIn } from '../../scripts/outside/user.ts';

interface Refused {
  error: { code: string; message: string };
}

/** Sends requests concurrently, as a browser does. The responses are in no particular order. */
async function many(count: number, send: (index: number) => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const answer = await send(next++);
      answers.push(answer);
      if (answer.status < 400) await answer.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  return answers;
}

const statuses = (answers: Response[]) => [...new Set(answers.map(({ status }) => status))].sort();

async function isSaneRefusal(answer: Response | undefined): Promise<void> {
  expect(answer?.status).toBe(429);
  const seconds = Number(answer?.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(((await answer?.json()) as Refused).error).toEqual({
    code: 'TOO_MANY_REQUESTS',
    message: 'Too many requests. Please try again in a moment.',
  });
}

describe('rate limits by user', () => {
  // Every client has its own address.
  const suite = startSuite({ environment: { TRUST_PROXY: '1' } });
  let who: Advertiser;
  let other: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: Array.from({ length: 500 }, () => 'PAUSED' as const), on: 0 });
    other = await suite.advertiser({ campaigns: [] });
  }, 120_000);

  test('SmartPause can be turned on and off for 500 campaigns, one call each', async () => {
    for (const enabled of [true, false]) {
      const answers = await many(500, (index) =>
        fetch(`${suite.product.url}/api/smartpause/${who.accountId}/${who.campaignIds[index] ?? ''}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${who.user.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ enabled }),
        }),
      );
      expect(statuses(answers)).toEqual([200]);
    }
  }, 120_000);

  test('a user above the limit gets Retry-After, in every session and from every address', async () => {
    const second = await signIn(suite.product.url, who.userId);
    const answers = await many(3100, (index) =>
      fetch(`${suite.product.url}/api/me`, {
        headers: {
          authorization: `Bearer ${[who.user.token, second.token][index % 2] ?? ''}`,
          'x-forwarded-for': `10.0.${index % 250}.1`,
        },
      }),
    );
    expect(statuses(answers)).toEqual([200, 429]);
    await isSaneRefusal(answers.find(({ status }) => status === 429));
    expect((await other.user.call('GET', '/api/me')).status).toBe(200);
  }, 120_000);

  test('calls that may reach Meta have a lower limit, and SmartPause can still be turned on and off', async () => {
    const busy = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const headers = { authorization: `Bearer ${busy.user.token}` };
    const answers = await many(620, () =>
      fetch(`${suite.product.url}/api/campaigns/${busy.accountId}`, { headers }),
    );
    expect(statuses(answers)).toEqual([200, 429]);
    await isSaneRefusal(answers.find(({ status }) => status === 429));
    await busy.user.setSmartPause(busy.accountId, busy.campaignIds[0] ?? '', true);
    await other.user.get('/api/ad-accounts');
  }, 120_000);

  test('users behind one proxy do not exhaust each other’s login limit', async () => {
    const answers = await many(130, (index) =>
      fetch(`${suite.product.url}/auth/facebook`, {
        redirect: 'manual',
        headers: { 'x-forwarded-for': `203.0.113.9, 10.0.0.${index}` },
      }),
    );
    expect(statuses(answers)).toEqual([302]);
  });

  test('calls that reach Stripe have a lower limit, by user and not by session', async () => {
    const second = await signIn(suite.product.url, other.userId);
    const within = await suite.advertiser({ campaigns: [] });
    const answers = await many(70, (index) =>
      fetch(`${suite.product.url}/api/stripe/refresh-subscription`, {
        method: 'POST',
        headers: { authorization: `Bearer ${[other.user.token, second.token][index % 2] ?? ''}` },
      }),
    );
    expect(statuses(answers)).toEqual([200, 429]);
    await isSaneRefusal(answers.find(({ status }) => status === 429));
    await within.user.post('/api/stripe/refresh-subscription');
    await other.user.get('/api/stripe/subscription');
  });
});

describe('rate limits by address', () => {
  const suite = startSuite();

  const login = (headers: Record<string, string>) =>
    fetch(`${suite.product.url}/auth/facebook`, { redirect: 'manual', headers });

  test('a forged forwarding header does not change the counted address', async () => {
    const answers = await many(125, (index) =>
      login({
        'x-forwarded-for': `10.0.0.${index}`,
        'x-real-ip': `10.0.1.${index}`,
        forwarded: `for=10.1.0.${index}`,
      }),
    );
    expect(statuses(answers)).toEqual([302, 429]);
    await isSaneRefusal(answers.find(({ status }) => status === 429));
  });

  test.each([
    ['the way back from the login', 125, 'GET', '/auth/facebook/callback?state=a', 302],
    ['what Meta tells us', 605, 'POST', '/auth/facebook/deauthorize', 400],
    ['what Stripe tells us', 3005, 'POST', '/webhooks/stripe', 400],
  ] as const)('%s is limited', async (_title, count, method, path, usual) => {
    const answers = await many(count, () =>
      fetch(suite.product.url + path, {
        method,
        redirect: 'manual',
        headers: { 'stripe-signature': 't=1,v1=x' },
      }),
    );
    expect(statuses(answers)).toEqual([usual, 429]);
  });

  test('unauthenticated requests are counted, whatever their path or token', async () => {
    const asked = ['/api/me', '/nowhere', '/assets/nothing.js'];
    const answers = await many(6100, (index) =>
      fetch(`${suite.product.url}${asked[index % asked.length] ?? ''}`, {
        headers: { authorization: `Bearer ${String(index).padStart(43, 'a')}` },
      }),
    );
    expect(statuses(answers)).toEqual([401, 404, 429]);
    expect((await fetch(`${suite.product.url}/api/me`)).headers.get('retry-after')).toMatch(/^\d+$/);
    // Rendered once for all, so it costs less than counting.
    expect((await fetch(`${suite.product.url}/status`)).status).toBe(200);
  }, 120_000);
});
