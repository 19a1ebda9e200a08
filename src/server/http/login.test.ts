import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine, freshDatabase } from '../../../test/database.ts';
import type { Advertiser, TestProduct } from '../../../test/product.ts';
import { newAdvertiser, startProduct } from '../../../test/product.ts';
import { followLogin, signIn } from '../../../scripts/outside/person.ts';
import type { Simulators } from '../../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';

describeEachEngine('the login', (engine) => {
  let simulators: Simulators;
  let product: TestProduct;
  let who: Advertiser;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    product = await startProduct({ simulators, database: await freshDatabase(engine) });
    who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    await waitFor('the status to be read', async () => {
      const { status } = await who.person.get<{ status: string }>('/api/status');
      return status === 'UP';
    });
  });
  afterAll(async () => {
    await product.close();
    await simulators.stop();
  });

  test('[API-02, AUTH-02] the login ends at the page asked for, with a token', async () => {
    const end = await followLogin(product.url, { userId: who.userId, returnTo: '/payment?modal=open' });
    expect(end.pathname).toBe('/payment');
    expect(end.searchParams.get('modal')).toBe('open');
    expect(end.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
  });

  test('[API-02] whoever declines ads_management is not let in', async () => {
    const end = await followLogin(product.url, { userId: who.userId, declined: ['ads_management'] });
    expect([end.pathname, end.search]).toEqual(['/', '?error=ACCESS_DENIED&missing=ads_management']);
    await signIn(product.url, who.userId);
  });

  test.each([
    ['no state', '', 'INVALID_STATE'],
    ['a state of somebody else', '?state=abc&code=x', 'INVALID_STATE'],
    ['a state given twice', '?state=a&state=b&code=x', 'INVALID_STATE'],
  ])('[API-02] coming back with %s is refused', async (_title, query, code) => {
    const answer = await fetch(`${product.url}/auth/facebook/callback${query}`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(`${product.url}/?error=${code}`);
  });

  test.each([
    ['&error=access_denied&error_reason=user_denied', 'ACCESS_DENIED'],
    ['&error=server_error', 'FACEBOOK_ERROR'],
    ['&error_code=1349003', 'FACEBOOK_ERROR'],
    ['', 'NO_CODE'],
    ['&code=made-up', 'AUTH_FAILED'],
  ])('[API-02] coming back with %j ends with %s, and a state is good once', async (query, code) => {
    const start = await fetch(`${product.url}/auth/facebook`, { redirect: 'manual' });
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const back = `${product.url}/auth/facebook/callback?state=${state}${query}`;
    const ends = [];
    for (let i = 0; i < 2; i += 1) {
      const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
      ends.push(answer.headers.get('location'));
    }
    expect(ends).toEqual([`${product.url}/?error=${code}`, `${product.url}/?error=INVALID_STATE`]);
  });
});
