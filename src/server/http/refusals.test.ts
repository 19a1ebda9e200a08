import type { Updateable } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiName } from '#contract/api.ts';
import { api } from '#contract/api.ts';
import { EVENTS_PATH } from '#contract/live-updates.ts';
import { CHANGEABLE } from '../../../test/support/changeable.ts';
import { dumpOf } from '../../../test/support/database.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import type { Db } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

type Method = 'GET' | 'POST';

interface Refused {
  error: { code: string; message: string; id?: string };
}

interface Ids {
  adAccountId: string;
  campaignId: string;
  destinationId: string;
}

const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

/** Every call of the contract that takes the id of something that a user owns. */
const WITH_ID: Partial<Record<ApiName, (own: Ids, other: Ids) => [path: string, body?: object][]>> = {
  campaigns: (_own, other) => [[`/api/campaigns/${other.adAccountId}`]],
  pauseCampaign: (_own, other) => [[`/api/campaigns/${other.campaignId}/pause`]],
  startLiveTest: (_own, other) => [[`/api/campaigns/${other.campaignId}/live-test`]],
  resumeCampaign: (_own, other) => [[`/api/campaigns/${other.campaignId}/resume`]],
  readCampaign: (_own, other) => [[`/api/campaigns/${other.campaignId}/read`]],
  retryCampaign: (_own, other) => [[`/api/campaigns/${other.campaignId}/retry`]],
  setSmartPause: (own, other) =>
    [true, false].flatMap((enabled) => [
      [`/api/smartpause/${other.adAccountId}/${other.campaignId}`, { enabled }],
      [`/api/smartpause/${own.adAccountId}/${other.campaignId}`, { enabled }],
      [`/api/smartpause/${other.adAccountId}/${own.campaignId}`, { enabled }],
    ]),
  campaignChange: () => [['/api/campaign-changes/1']],
  campaignHistory: (_own, other) => [[`/api/campaigns/${other.campaignId}/history`]],
  changeDestination: (_own, other) => [[`/api/destinations/${other.destinationId}`, { name: 'Mine' }]],
  deleteDestination: (_own, other) => [[`/api/destinations/${other.destinationId}/delete`]],
  sendDestinationLink: (_own, other) => [[`/api/destinations/${other.destinationId}/email-link`]],
  testDestination: (_own, other) => [[`/api/destinations/${other.destinationId}/test`]],
  rotateSecret: (_own, other) => [[`/api/destinations/${other.destinationId}/rotate-secret`]],
  deliveries: (_own, other) => [[`/api/destinations/${other.destinationId}/deliveries`]],
  sendDeliveryAgain: (_own, other) => [[`/api/destinations/${other.destinationId}/deliveries/1/send-again`]],
  outages: (_own, other) => [[`/api/outages?adAccountId=${other.adAccountId}`]],
  outage: (_own, other) => [[`/api/outages/1?adAccountId=${other.adAccountId}`]],
};
/** Their parameter is not owned by a user: a public code, an outage, the name of an action. */
const NO_OWNER: ApiName[] = ['deletionStatus', 'linkEvidence', 'outageSpend', 'adminAction', 'adminReach'];

/** Every call that needs a session. */
const CALLS = [
  ...Object.values(api).filter(({ access }) => access !== 'public'),
  { access: 'user', method: 'GET', path: EVENTS_PATH } as const,
  { access: 'user', method: 'POST', path: '/auth/logout' } as const,
].map(({ access, method, path }) => [access, method, path.replaceAll(/\{\w+\}/g, '1')] as const);

describe('refused requests', () => {
  const suite = startSuite();
  let maya: Advertiser;
  let omar: Advertiser;
  const destinationIds = new Map<Advertiser, string>();

  beforeAll(async () => {
    maya = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    omar = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    await suite.known('UP');
    const channel = { kind: 'webhook', name: 'Ops', target: 'https://hooks.example/1', events: ['paused'] };
    for (const one of [maya, omar])
      destinationIds.set(one, (await one.user.post<{ id: string }>('/api/destinations', channel)).id);
  });

  const stored = async () => [
    await dumpOf(suite.product.app.db, CHANGEABLE),
    (await suite.simulators.graph.writes()).length,
  ];
  const answerOf = async (response: Response) =>
    `${response.status} ${((await response.json()) as Refused).error.code}`;

  /** A refused request changes nothing, and its response is the error envelope. @returns its status and code */
  async function refusal(method: Method, path: string, body?: unknown, { user } = maya): Promise<string> {
    const before = await stored();
    const response = await user.call<Refused>(method, path, body);
    expect(Object.keys(response.body)).toEqual(['error']);
    expect(response.body.error.message.length).toBeGreaterThan(0);
    expect(await stored()).toEqual(before);
    return `${response.status} ${response.body.error.code}`;
  }

  test.each(CALLS)(
    '[API-22] the call for the %s %s %s accepts no cookie, no token in its address, and no other site',
    async (_access, method, path) => {
      const { token } = maya.user;
      const origin = 'https://attacker.example';
      const cookie = `authToken=${token}; token=${token}; smartpause_login=${token}`;
      const url = suite.product.url + path;
      const response = await fetch(`${url}?token=${token}`, { method, headers: { cookie, origin } });
      expect(await answerOf(response)).toBe('401 UNAUTHENTICATED');
      const asked = { origin, 'access-control-request-method': method };
      const preflight = await fetch(url, { method: 'OPTIONS', headers: asked });
      expect(preflight.status).toBe(404);
      expect(preflight.headers.get('access-control-allow-headers')).toBeNull();
    },
  );

  test('[API-22] what is no session token is refused', async () => {
    const { token } = maya.user;
    const unknown = `Bearer ${'a'.repeat(43)}`;
    const malformed = [
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${'x'.repeat(5000)}`,
      "Bearer ' or 1=1 --",
    ];
    for (const authorization of ['', 'Bearer', 'Bearer ', unknown, ...malformed]) {
      const response = await fetch(`${suite.product.url}/api/me`, { headers: { authorization } });
      expect([authorization, await answerOf(response)]).toEqual([authorization, '401 UNAUTHENTICATED']);
    }
  });

  test.each(CALLS.filter(([access]) => access === 'admin'))(
    '[ADMIN-08] a user without the role may not make the call for the %s %s %s',
    async (_access, method, path) => expect(await refusal(method, path)).toBe('403 ADMIN_REQUIRED'),
  );

  const settings = (over: object) => ['/api/user/settings', { ...SETTINGS, ...over }] as const;
  const delay = (value: number, unit: string) =>
    settings({ resumeSettings: { mode: 'delay', delay: { value, unit } } });
  const hidden = JSON.parse('{"__proto__":{"a":1}}') as unknown;

  test.each<[what: string, answer: string, request: readonly [path: string, body?: unknown]]>([
    ['a wrong type', '400 INVALID_REQUEST', settings({ email: 5 })],
    ['an unknown threshold', '400 INVALID_REQUEST', settings({ outageThreshold: 'SEVERE' })],
    ['a delay out of bounds', '400 INVALID_REQUEST', delay(61, 'minutes')],
    ['a delay of nothing', '400 INVALID_REQUEST', delay(0, 'days')],
    ['half a delay', '400 INVALID_REQUEST', delay(1.5, 'days')],
    ['no body', '400 INVALID_REQUEST', ['/api/user/settings']],
    ['a list for a body', '400 INVALID_REQUEST', ['/api/user/settings', []]],
    ['null for a body', '400 INVALID_REQUEST', ['/api/user/initialize', null]],
    ['an address that is none', '400 INVALID_REQUEST', settings({ email: 'me' })],
    ['a prototype in disguise', '400 INVALID_REQUEST', ['/api/user/settings', hidden]],
    ['an oversized body', '413 PAYLOAD_TOO_LARGE', settings({ email: `${'a'.repeat(100_000)}@example.com` })],
    ['enabled as a text', '400 INVALID_REQUEST', ['/api/smartpause/act_1/1', { enabled: 'false' }]],
    ['an id of a wrong kind', '400 INVALID_REQUEST', ['/api/campaigns/abc/pause']],
    ['an unknown campaign', '404 CAMPAIGN_NOT_FOUND', ['/api/campaigns/123456789/pause']],
    ['a call that does not exist', '404 NOT_FOUND', ['/api/nothing', {}]],
    ['a call by another method', '404 NOT_FOUND', ['/api/me', {}]],
  ])('[API-22] %s: %s', async (_what, answer, [path, body]) =>
    expect(await refusal('POST', path, body)).toBe(answer),
  );

  test.each([
    ['an id that is none', '400 INVALID_REQUEST', '/api/campaigns/act_1%27%20or%201=1'],
    ['a path for an id', '400 INVALID_REQUEST', '/api/campaigns/..%2F..%2Fme'],
    ['an unknown account', '404 AD_ACCOUNT_NOT_FOUND', '/api/campaigns/act_1'],
    ['a character that no text in the database has', '400 INVALID_REQUEST', '/api/outages/1?search=%00'],
  ])('[API-22] %s: %s', async (_what, answer, path) => expect(await refusal('GET', path)).toBe(answer));

  test.each([
    ['text/plain', 'hello', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', '{"a":', '400 INVALID_REQUEST'],
    ['application/json', '', '400 INVALID_REQUEST'],
    ['application/x-www-form-urlencoded', 'a=b', '415 UNSUPPORTED_MEDIA_TYPE'],
  ])('[API-22] a body of %s %j: %s', async (type, body, answer) => {
    const headers = { authorization: `Bearer ${maya.user.token}`, 'content-type': type };
    const response = await fetch(`${suite.product.url}/api/user/settings`, { method: 'POST', headers, body });
    expect(await answerOf(response)).toBe(answer);
  });

  test('every call with a parameter of an owner is listed', () => {
    const takesId = (name: ApiName) => api[name].path.includes('{') || name === 'outages';
    const withParameter = (Object.keys(api) as ApiName[]).filter(takesId);
    expect(withParameter.sort()).toEqual([...(Object.keys(WITH_ID) as ApiName[]), ...NO_OWNER].sort());
  });

  test.each(Object.keys(WITH_ID) as ApiName[])(
    '[API-22] %s with an id of another user is not found',
    async (name) => {
      const idsOf = (one: Advertiser, index: number): Ids => ({
        adAccountId: one.accountId,
        campaignId: one.campaignIds[index] ?? '',
        destinationId: destinationIds.get(one) ?? '',
      });
      for (const index of [0, 1])
        for (const [path, body] of WITH_ID[name]?.(idsOf(maya, index), idsOf(omar, index)) ?? [])
          expect([path, await refusal(api[name].method, path, body)]).toEqual([
            path,
            expect.stringMatching(/^404 /),
          ]);
    },
  );

  test('[API-22] responses to one user contain nothing of another', async () => {
    const secret = [omar.accountId, ...omar.campaignIds, omar.email, omar.userId];
    for (const [access, method, path] of CALLS) {
      if (access !== 'user' || method !== 'GET' || path.includes('1') || path === EVENTS_PATH) continue;
      const text = JSON.stringify(await maya.user.get(path));
      for (const word of secret) expect([path, text]).toEqual([path, expect.not.stringContaining(word)]);
    }
  });

  const isPastDue = (db: Db, userId: string) =>
    db.updateTable('subscriptions').set({ status: 'past_due' }).where('userId', '=', userId).execute();
  const set = (row: Updateable<Schema['users']>) => (db: Db, userId: string) =>
    db.updateTable('users').set(row).where('id', '=', userId).execute();
  const leaving = { leavingAt: new Date(), leavingBy: 'user', leavingRetryAt: new Date(8e15) } as const;

  test.each([
    ['without a subscription', '403 SUBSCRIPTION_REQUIRED', isPastDue],
    ['before the setup', '409 NOT_INITIALIZED', set({ initializedAt: null })],
    ['who is leaving', '409 ACCOUNT_LEAVING', set({ leaving: 'delete', ...leaving })],
  ])(
    '[UX-24] a user %s may start nothing new, and reads what a plan would protect: %s',
    async (_title, answer, change) => {
      const who = await suite.advertiser({ campaigns: ['PAUSED'] });
      const [id = ''] = who.campaignIds;
      await change(suite.product.app.db, (await suite.rowOf(who))?.id ?? '');
      for (const [path, body] of [
        [`/api/smartpause/${who.accountId}/${id}`, { enabled: true }],
        [`/api/campaigns/${id}/pause`],
        [`/api/campaigns/${id}/live-test`],
        ['/api/user/settings', SETTINGS],
      ] as const)
        expect([path, await refusal('POST', path, body, who)]).toEqual([path, answer]);
      for (const path of ['/api/ad-accounts', `/api/campaigns/${who.accountId}`, '/api/outages/replay'])
        expect([path, (await who.user.call('GET', path)).status]).toEqual([path, 200]);
      if (change !== isPastDue) return;
      // Turning off and resuming always work.
      await who.user.setSmartPause(who.accountId, id, false);
      await who.user.post(`/api/campaigns/${id}/resume`);
      expect(await suite.statuses(who)).toEqual(['ACTIVE']);
    },
  );

  test.each([
    [100_000, '400 INVALID_REQUEST'],
    [1_100_000, '413 PAYLOAD_TOO_LARGE'],
  ])('an unsigned webhook of %i bytes: %s', async (length, answer) => {
    const headers = { 'content-type': 'application/json' };
    const webhook = { method: 'POST', headers, body: 'x'.repeat(length) };
    expect(await answerOf(await fetch(`${suite.product.url}/webhooks/stripe`, webhook))).toBe(answer);
  });
});
