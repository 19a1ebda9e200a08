import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { UserOverHttp } from '../../../../scripts/outside/user.ts';
import { signIn } from '../../../../scripts/outside/user.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { api } from '../../../contract/api.ts';
import type { OpenApi, Operation, Schema } from './types.ts';

const BOSS = '7111000000021';

/** Pages, files, and routes that the framework adds. */
const NO_CALLS = [
  /^\/robots\.txt$/,
  /^\/sitemap\.xml$/,
  /^\/status(\.json|\.atom)?$/,
  /^\/assets\//,
  /^\/social-card\.png$/,
  /^\/\.stamp$/,
];

describe('the OpenAPI document', () => {
  const suite = startSuite({ environment: { ADMIN_PLATFORM_IDS: BOSS } });
  let document: OpenApi;
  let who: Advertiser;
  let boss: UserOverHttp;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  beforeAll(async () => {
    document = (await (await fetch(`${suite.product.url}/api/openapi.json`)).json()) as OpenApi;
    ajv.addSchema(document, 'document');
    who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    const users = [{ id: BOSS, name: 'The Boss', accounts: [] }];
    await suite.simulators.graph.post('/seed', { users });
    boss = await signIn(suite.product.url, BOSS);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await suite.report('Resolved', 'UP');
  });

  const operations = (): { path: string; method: 'get' | 'post'; operation: Operation }[] =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      (['get', 'post'] as const).flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [{ path, method, operation }];
      }),
    );

  /** The path with a valid value for each parameter. */
  const addressOf = (path: string, values: Record<string, string>): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1');

  /** How the response violates the document; null: it conforms. */
  async function faultOf(
    { path, method, operation }: { path: string; method: string; operation: Operation },
    answer: Response,
  ): Promise<string | null> {
    const declared = operation.responses[String(answer.status)];
    if (declared === undefined) return `${path} answers ${answer.status}, which is not declared`;
    const [type] = (answer.headers.get('content-type') ?? '').split(';');
    const content = declared.content?.[type ?? ''];
    if (declared.content === undefined || content === undefined) return null;
    const pointer = [
      'paths',
      path,
      method,
      'responses',
      String(answer.status),
      'content',
      type ?? '',
      'schema',
    ];
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.compile({ $ref: `document#/${steps.join('/')}` });
    return validate(await answer.json()) ? null : `${path}: ${ajv.errorsText(validate.errors)}`;
  }

  test('is valid', async () => {
    const result = await new Validator().validate({ ...document });
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('has every call of the contract, and every referenced schema', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    expect(Object.keys(api).filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const referred = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    const missing = referred.filter(([, name = '']) => document.components.schemas[name] === undefined);
    expect(missing).toEqual([]);
    expect(referred.length).toBeGreaterThan(50);
  });

  test('describes the responses to authorized and unauthorized requests', async () => {
    const values = { adAccountId: who.accountId, campaignId: who.campaignIds[0] ?? '', code: 'A'.repeat(20) };
    const bodies: Record<string, object> = {
      saveSettings: { resumeSettings: { mode: 'instant' }, outageThreshold: 'LOW', email: 'a@example.com' },
      initialize: { resumeSettings: { mode: 'next-day' }, outageThreshold: 'LOW', email: 'a@example.com' },
      setSmartPause: { enabled: false },
      createCheckoutSession: { planType: 'monthly' },
      deleteAccount: { confirmation: 'something else' },
    };
    const faults: string[] = [];
    const answered = new Map<string, Set<number>>();
    // `deauthorize` ends the session, and an event stream never ends: call them last.
    const last = ['deauthorize', 'events'];
    const asked = operations().filter(({ operation }) => !last.includes(operation.operationId));
    for (const one of asked) {
      const { operationId } = one.operation;
      const special = operationId === 'adminAction' ? { action: 'clear' } : {};
      const id = /campaigns/.test(one.path) ? (who.campaignIds[1] ?? '') : '1';
      const url = suite.product.url + addressOf(one.path, { ...values, id, ...special });
      const body = bodies[operationId];
      const ask = (headers: Record<string, string>, sent = body): Promise<Response> =>
        fetch(url, {
          method: one.method.toUpperCase(),
          redirect: 'manual',
          headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(sent !== undefined && { body: JSON.stringify(sent) }),
        });
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
      const isLogout = operationId === 'logout';
      // Unknown fields are ignored, so such a body would be accepted.
      const isOptional = one.operation.requestBody?.required === false;
      const tries = [
        () => ask({}),
        () => ask(bearer('x'.repeat(43))),
        ...(isLogout ? [] : [() => ask(bearer(who.user.token)), () => ask(bearer(boss.token))]),
        ...(body === undefined || isOptional ? [] : [() => ask(bearer(who.user.token), { nonsense: 1 })]),
      ];
      for (const attempt of tries) {
        const answer = await attempt();
        answered.set(operationId, (answered.get(operationId) ?? new Set()).add(answer.status));
        const fault = await faultOf(one, answer);
        if (fault !== null) faults.push(fault);
      }
    }
    expect(faults).toEqual([]);
    const never200 = [...answered].filter(([, statuses]) => ![...statuses].some((status) => status < 400));
    // These calls need a valid signature, a confirmation phrase or similar.
    expect(never200.map(([name]) => name).toSorted()).toEqual(
      [
        'deauthorizedAtMeta',
        'deleteAccount',
        'deletionAskedAtMeta',
        'deletionStatus',
        'logout',
        'stripeTells',
      ].toSorted(),
    );
    for (const { operation } of operations().filter(({ operation: { security } }) => security.length > 0)) {
      if (last.includes(operation.operationId)) continue;
      expect([operation.operationId, answered.get(operation.operationId)?.has(401)]).toEqual([
        operation.operationId,
        true,
      ]);
    }
  });

  test('request bodies that the schema forbids are rejected, and bodies that it allows are parsed', async () => {
    const other = await suite.advertiser({ campaigns: [] });
    const settings = document.paths['/api/user/settings']?.post?.requestBody?.content?.['application/json'];
    const validate = ajv.compile({ ...settings?.schema, components: document.components } as Schema);
    const good = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };
    const bodies = [
      good,
      { ...good, resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } } },
      { ...good, resumeSettings: { mode: 'delay' } },
      { ...good, resumeSettings: { mode: 'never' } },
      { ...good, outageThreshold: 'WORSE' },
      { ...good, email: 5 },
      { resumeSettings: good.resumeSettings, email: good.email },
      [],
    ];
    for (const body of bodies) {
      const { status } = await other.user.call('POST', '/api/user/settings', body);
      expect([JSON.stringify(body), status]).toEqual([JSON.stringify(body), validate(body) ? 200 : 400]);
    }
  });

  test('lists every route of the server', () => {
    const routes = routesOf(suite.product.app.http.printRoutes({ commonPrefix: false }));
    expect(routes.length).toBeGreaterThan(30);
    const known = new Set(
      operations().map(({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ':')}`),
    );
    const unreported = routes.filter(
      (route) => !known.has(route) && !NO_CALLS.some((pattern) => pattern.test(route.split(' ')[1] ?? '')),
    );
    expect(unreported).toEqual([]);
    expect([...known].filter((route) => !routes.includes(route))).toEqual([]);
  });
});

/** Parses 'GET /api/me' and so on from Fastify's printed routes; parameters have no name there. */
function routesOf(drawing: string): string[] {
  const above: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods = ''] =
      /^([│├└─\s]*)(\S.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (path === '') return [];
    const depth = Math.floor(indent.length / 4);
    above.splice(depth - 1, Infinity, path);
    const whole = above.slice(0, depth).join('');
    return methods
      .split(', ')
      .filter((method) => method === 'GET' || method === 'POST')
      .map((method) => `${method} ${whole.replaceAll(/:[^/]+/g, ':')}`);
  });
}
