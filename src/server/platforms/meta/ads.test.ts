import { describe, expect, test, vi } from 'vitest';
import { createAdPlatform } from './ads.ts';
import type { GraphCall } from './client.ts';
import { interpretJson } from './client.ts';

/** The platform, while Meta's lists have this one item. */
function listing(item: object) {
  const call = () => Promise.resolve({ ok: true as const, value: { data: [item] }, headers: {} });
  return createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1');
}

test.each([
  [undefined, true],
  [null, true],
  ['ANALYZE', true],
  [['MANAGE', 'ANALYZE'], true],
  [['ADVERTISE'], true],
  [['ANALYZE', 'DRAFT'], false],
  [[], false],
])('[FR-07] with user_tasks %j a user may pause: %s', async (user_tasks, mayPause) => {
  const list = await listing({ id: 'act_1', user_tasks }).listAdAccounts('token');
  expect(list).toMatchObject({ ok: true, value: [{ mayPause }] });
});

const UNKNOWN = { accountStatus: null, disableReason: null, timeZone: null, businessId: null };
test.each<[listed: object, read: object]>([
  [{}, UNKNOWN],
  [{ account_status: null, disable_reason: null, timezone_name: null }, UNKNOWN],
  [
    { account_status: 3, disable_reason: 0 },
    { ...UNKNOWN, accountStatus: 3, disableReason: 0 },
  ],
  [
    { account_status: '3', disable_reason: '1' },
    { ...UNKNOWN, accountStatus: 3, disableReason: 1 },
  ],
  [
    { account_status: 101, disable_reason: 1.5 },
    { ...UNKNOWN, accountStatus: 101 },
  ],
  [{ account_status: 2 ** 31, disable_reason: true, timezone_name: 5 }, UNKNOWN],
  [{ account_status: 'UNSETTLED', disable_reason: '', timezone_name: 'Mars/Base' }, UNKNOWN],
  [{ account_status: [3], timezone_name: '+02:00' }, UNKNOWN],
  [{ timezone_name: '' }, UNKNOWN],
  [{ business: { id: '55', name: 'Shop' } }, { ...UNKNOWN, businessId: '55' }],
  [{ business: null }, UNKNOWN],
  [{ business: '55' }, UNKNOWN],
  [{ timezone_name: 'America/Los_Angeles' }, { ...UNKNOWN, timeZone: 'America/Los_Angeles' }],
  [{ timezone_name: 'Asia/Calcutta' }, { ...UNKNOWN, timeZone: 'Asia/Calcutta' }],
])('[FR-30] of an ad account listed with %j is known: %j', async (listed, read) => {
  const list = await listing({ id: 'act_1', ...listed }).listAdAccounts('token');
  expect(list).toMatchObject({ ok: true, value: [{ id: 'act_1', ...read }] });
});

test('a list that Meta refuses for its businesses is read without them, also from then on', async () => {
  const asked: boolean[] = [];
  const message = '(#100) Requires business_management permission to access the field.';
  const call = ({ params }: GraphCall) => {
    const wantsBusiness = params?.['fields']?.includes('business') === true;
    asked.push(wantsBusiness);
    const answer = wantsBusiness
      ? interpretJson({ error: { message, code: 100 } }, 400)
      : ({ ok: true, value: { data: [{ id: 'act_1' }] } } as const);
    return Promise.resolve({ ...answer, headers: {} });
  };
  const platform = createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1');
  for (const token of ['one', 'one', 'other'])
    expect(await platform.listAdAccounts(token)).toMatchObject({ ok: true, value: [{ id: 'act_1' }] });
  expect(asked).toEqual([true, false, false, true, false]);
});

test.each([undefined, '', ' '])('what has the name %j at Meta is named by its id', async (name) => {
  const accounts = await listing({ id: 'act_1', name }).listAdAccounts('token');
  const campaigns = await listing({ id: '1', name, status: 'ACTIVE' }).listCampaigns('token', 'act_1');
  expect([accounts, campaigns]).toMatchObject([{ value: [{ name: 'act_1' }] }, { value: [{ name: '1' }] }]);
});

const END = Date.parse('2026-01-09T02:10:00Z');
test.each([
  ['2026-01-09T02:10:00+0000', END],
  ['2026-01-08T21:10:00-0500', END],
  ['2026-01-09T02:10:00+00:00', END],
  ['2026-01-09T02:10:00.000Z', END],
  ['1970-01-01T00:00:00-0800', null],
  ['0000-00-00T00:00:00+0000', null],
  ['9999-12-31T23:59:59-0800', null],
  ['2026-01-09T02:10:00', null],
  ['', null],
  ['0', null],
  ['none', null],
  [0, null],
  [null, null],
  [undefined, null],
])('[FR-01] the end date %j is %j', async (stop_time, stopTime) => {
  const list = await listing({ id: '1', status: 'ACTIVE', stop_time }).listCampaigns('token', 'act_1');
  expect(list).toMatchObject({ ok: true, value: [{ stopTime }] });
});

test('each report of an ad account’s rate limit is passed on', async () => {
  const headers = { 'x-ad-account-usage': '{"acc_id_util_pct":60}' };
  const call = () => Promise.resolve({ ok: true as const, value: { data: [] }, headers });
  const onUsage = vi.fn<(usage: { percent: number }) => void>();
  const platform = createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1', onUsage);
  await platform.listCampaigns('token', 'act_1');
  await platform.readCampaigns('token', 'act_1', ['1']);
  await platform.setStatuses('token', 'act_1', [{ campaignId: '1', status: 'PAUSED' }], 0);
  expect(onUsage.mock.calls.map(([{ percent }]) => percent)).toEqual([60, 60, 60]);
});

describe('[FR-27] the filter that also lists archived campaigns', () => {
  const OF_ADS = ['PENDING_REVIEW', 'DISAPPROVED', 'PREAPPROVED', 'PENDING_BILLING_INFO'];
  const ITEM = { id: '1', name: 'A', status: 'ACTIVE' };

  /** The filter of each request, and the list. */
  async function listWith(error: object | null) {
    const filters: (string | undefined)[] = [];
    const call = ({ params = {} }: GraphCall) => {
      filters.push(params['effective_status']);
      const isRefused = error !== null && (filters.at(-1) !== undefined || 'always' in error);
      const value = isRefused ? { error } : { data: [ITEM] };
      return Promise.resolve({ ...interpretJson(value, isRefused ? 400 : 200), headers: {} });
    };
    const platform = createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1');
    return { filters, list: await platform.listCampaigns('token', 'act_1', { withArchived: true }) };
  }

  test('has only values that campaigns can have', async () => {
    const { filters, list } = await listWith(null);
    const values = JSON.parse(filters[0] ?? '') as string[];
    expect(values).toContain('ARCHIVED');
    expect(values.filter((one) => OF_ADS.includes(one) || /ADSET|CAMPAIGN/.test(one))).toEqual([]);
    expect(list).toMatchObject({ ok: true, withArchived: true });
  });

  test.each([
    { code: 100, error_subcode: 1487561, message: 'Invalid parameter' },
    { code: 100, error_subcode: 1815001, message: 'Invalid parameter' },
    { code: 100, message: 'Invalid parameter' },
    { code: 2654, message: 'Something went wrong' },
    { code: 100, message: '(#100) Param effective_status[3] must be one of {ACTIVE, PAUSED}' },
  ])('%j: the list without it counts as one without archived campaigns', async (error) => {
    const { filters, list } = await listWith(error);
    expect(filters.map((one) => one !== undefined)).toEqual([true, false]);
    expect(list).toMatchObject({ ok: true, value: [{ id: '1' }], withArchived: false });
  });

  test.each([
    { code: 100, error_subcode: 33, message: 'Object does not exist' },
    { code: 10, message: 'Permission denied' },
    { code: 190, message: 'Error validating access token' },
    { code: 613, message: 'Too many calls' },
  ])('%j is not about it: nothing more is asked', async (error) => {
    const { filters, list } = await listWith(error);
    expect([filters.length, list.ok]).toEqual([1, false]);
  });

  test('a refusal without the filter, too, is the answer', async () => {
    const { filters, list } = await listWith({
      code: 100,
      error_subcode: 1487561,
      message: '',
      always: true,
    });
    expect(filters).toHaveLength(2);
    expect(list).toMatchObject({ ok: false, failure: { code: '100/1487561' } });
  });
});

test('[FR-25] a campaign that is read by id has the fields of the list', async () => {
  const items: Record<string, object> = {
    1: {
      id: '1',
      name: 'A',
      status: 'ACTIVE',
      objective: 'X',
      daily_budget: '500',
      stop_time: '2026-01-09T02:10:00Z',
    },
    2: { id: '2', name: 'B', status: 'DELETED', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' },
    3: { error: { code: 100, error_subcode: 33, message: '' } },
    4: { error: { code: 2, message: '' } },
  };
  const asked: string[] = [];
  const call = ({ params = {} }: GraphCall) => {
    const operations = JSON.parse(params['batch'] ?? '[]') as { relative_url: string }[];
    asked.push(...operations.map(({ relative_url: url }) => url));
    const value = operations.map(({ relative_url: url }) => {
      const item = items[url.split('?')[0] ?? ''] ?? {};
      return { code: 'error' in item ? 400 : 200, body: JSON.stringify(item) };
    });
    return Promise.resolve({ ok: true as const, value, headers: {} });
  };
  const platform = createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1');
  const read = await platform.readCampaigns('token', 'act_1', ['1', '2', '3', '4']);
  const times = { startTime: null, stopTime: END };
  expect(read.ok && [...read.value]).toEqual([
    [
      '1',
      {
        id: '1',
        name: 'A',
        status: 'ACTIVE',
        objective: 'X',
        dailyBudget: 500,
        isLegacyAdvantage: false,
        ...times,
      },
    ],
    ['2', expect.objectContaining({ name: 'B', status: 'DELETED', isLegacyAdvantage: true })],
    ['3', 'AWAY'],
  ]);
  expect(new Set(asked.map((url) => url.split('?')[1]))).toEqual(
    new Set(['fields=id,name,status,objective,daily_budget,smart_promotion_type,start_time,stop_time']),
  );
});
