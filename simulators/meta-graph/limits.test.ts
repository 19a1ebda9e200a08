import { beforeEach, describe, expect, test } from 'vitest';
import type { GraphWorld, Reply } from './graph.fixture.ts';
import {
  DANIEL,
  DANIELS_ACCOUNT,
  HYDRATION,
  MAYAS_ACCOUNT,
  SPRING_SALE,
  pausing,
  useGraph,
} from './graph.fixture.ts';

let world: GraphWorld;

useGraph((started) => (world = started));
beforeEach(() => world.post('/clock', { offsetMs: 0, frozen: true }));

function later(seconds: number): Promise<unknown> {
  return world.post('/clock', { offsetMs: seconds * 1000 });
}

async function codesOf(operations: object[]): Promise<(string | undefined)[]> {
  const { body } = await world.batch(operations);
  return body.map((entry) => {
    const { error } = JSON.parse(entry?.body ?? '{}') as Reply['body'];
    return error === undefined ? undefined : `${error.code ?? ''}/${error.error_subcode ?? ''}`;
  });
}

interface AccountUsage {
  acc_id_util_pct: number;
  reset_time_duration: number;
  ads_api_access_tier: string;
}

async function usage(): Promise<AccountUsage> {
  const { headers } = await world.call('GET', SPRING_SALE);
  return JSON.parse(headers.get('x-ad-account-usage') ?? '{}') as AccountUsage;
}

const fill = (count: number): object[] => pausing(...Array.from({ length: count }, () => SPRING_SALE));

describe('the score of the development tier', () => {
  beforeEach(() => world.post('/limits', { tier: 'development_access' }));

  test('allows 20 writes, then blocks for 300 s', async () => {
    expect((await codesOf(fill(21))).findIndex((code) => code !== undefined)).toBe(20);
    expect((await world.pause(HYDRATION)).body.error).toMatchObject({ code: 17, error_subcode: 2446079 });
    await later(301);
    expect((await world.pause(HYDRATION)).status).toBe(200);
  });

  test('stays blocked for a client that continues to call', async () => {
    await codesOf(fill(21));
    await later(290);
    expect((await world.pause(HYDRATION)).status).toBe(400);
    await later(310);
    expect((await world.pause(HYDRATION)).status).toBe(400);
    await later(620);
    expect((await world.pause(HYDRATION)).status).toBe(200);
  });

  test('is separate for each account', async () => {
    await codesOf(fill(21));
    const other = await world.call('GET', 'act_1048576203948999/campaigns');
    expect(other.status).toBe(200);
  });

  test('counts every operation of a batch', async () => {
    await world.batch(Array.from({ length: 50 }, () => ({ method: 'GET', relative_url: SPRING_SALE })));
    expect((await usage()).acc_id_util_pct).toBeCloseTo(85, 0);
  });

  test('is reported in the headers', async () => {
    await codesOf(fill(10));
    expect(await usage()).toMatchObject({
      reset_time_duration: 155,
      ads_api_access_tier: 'development_access',
    });
    await codesOf(fill(10));
    const { headers } = await world.call('GET', SPRING_SALE);
    const buc = JSON.parse(headers.get('x-business-use-case-usage') ?? '{}') as Record<string, object[]>;
    expect(buc[MAYAS_ACCOUNT.replace('act_', '')]?.[0]).toMatchObject({
      type: 'ads_management',
      estimated_time_to_regain_access: 5,
      ads_api_access_tier: 'development_access',
    });
  });

  test('does not count calls without access', async () => {
    const daniel = await world.tokenOf(DANIEL);
    for (let call = 0; call < 5; call += 1) await world.call('GET', SPRING_SALE, {}, { token: daniel });
    expect((await usage()).acc_id_util_pct).toBeCloseTo(1 / 0.6, 1);
  });
});

test('calls per hour are limited', async () => {
  await world.post('/limits', { tier: 'development_access' });
  const reads = Array.from({ length: 50 }, () => ({ method: 'GET', relative_url: SPRING_SALE }));
  const ends: (string | undefined)[] = [];
  for (let minute = 0; minute < 60 && ends.at(-1) !== '80004/2446079'; minute += 5) {
    await later(minute * 60);
    ends.push((await codesOf(reads)).at(-1));
  }
  expect(ends).toHaveLength(11);
  const { headers } = await world.call('GET', SPRING_SALE);
  expect(headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":10');
  await later(3600);
  expect((await world.call('GET', SPRING_SALE)).status).toBe(200);
});

test('more than 100 writes per second are rejected', async () => {
  const codes = [...(await codesOf(fill(50))), ...(await codesOf(fill(50))), ...(await codesOf(fill(50)))];
  expect(codes.filter((code) => code === '613/5044001')).toHaveLength(50);
  await later(1.5);
  expect(await codesOf(fill(1))).toEqual([undefined]);
});

test('the standard tier allows 3000 writes, and `off` has no limit', async () => {
  const token = await world.tokenOf(DANIEL);
  const { headers } = await world.call('GET', `${DANIELS_ACCOUNT}/campaigns`, {}, { token });
  expect(headers.get('x-ad-account-usage')).toContain('"ads_api_access_tier":"standard_access"');
  await codesOf(fill(30));
  expect((await usage()).acc_id_util_pct).toBeCloseTo(91 / 90, 1);
  await world.post('/limits', { tier: 'off' });
  for (let batch = 0; batch < 3; batch += 1) expect(await codesOf(fill(50))).not.toContain('613/5044001');
  expect((await world.call('GET', SPRING_SALE)).headers.get('x-ad-account-usage')).toBeNull();
});
