import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../test/support/product.ts';
import { startSuite } from '../../test/support/suite.ts';
import { RATE_LIMITS } from '../../src/server/http/limits/limits.ts';

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

describe('the rate limits of the product', () => {
  // Every client has its own address.
  const suite = startSuite({ environment: { TRUST_PROXY: '1' } });
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: Array.from({ length: 500 }, () => 'PAUSED' as const), on: 0 });
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

  test('users behind one proxy do not exhaust each other’s login limit', async () => {
    const answers = await many(RATE_LIMITS.logins + 10, (index) =>
      fetch(`${suite.product.url}/auth/facebook`, {
        redirect: 'manual',
        headers: { 'x-forwarded-for': `203.0.113.9, 10.0.0.${index}` },
      }),
    );
    expect(statuses(answers)).toEqual([302]);
  });
});

describe('the product without a proxy', () => {
  const suite = startSuite();

  test('a forged forwarding header does not change the counted address', async () => {
    const answers = await many(RATE_LIMITS.logins + 5, (index) =>
      fetch(`${suite.product.url}/auth/facebook`, {
        redirect: 'manual',
        headers: {
          'x-forwarded-for': `10.0.0.${index}`,
          'x-real-ip': `10.0.1.${index}`,
          forwarded: `for=10.1.0.${index}`,
        },
      }),
    );
    expect(statuses(answers)).toEqual([302, 429]);
  });
});
