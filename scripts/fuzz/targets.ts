import * as fc from 'fast-check';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ADMIN_ACTIONS } from '#contract/admin-overview.ts';
import { hostileBody, hostileJson, hostileText, utf8 } from './hostile.ts';
import { anyAddress, badSession, hostileHeaders, sessionOf, trickyPath, wrongMethod } from './parts.ts';
import type { PersonKey } from './people.ts';
import { KNOWN_IDS, OWN_SESSIONS, PEOPLE, PERSON_KEYS } from './people.ts';
import type { FuzzRequest, Who } from './request.ts';
import { nearlyValid, validValue } from './values.ts';

/** Something that can be asked, and how requests to it are made. */
export interface Target {
  name: string;
  /** How often, compared with others. */
  weight: number;
  requests: fc.Arbitrary<FuzzRequest>;
}

/** Whoever makes these is gone, or cut off from the platform: only those who come back each time make them. */
const LEAVING: ApiName[] = ['deauthorize', 'deleteAccount'];
const ADVERTISERS: PersonKey[] = ['maya', 'maya', 'omar', 'omar', 'lapsed', 'uma', 'nora', 'boss'];
/** So many times their own ids for once those of everybody. */
const OWN_FOR_OTHERS = 24;
const KNOWN: Record<string, readonly string[]> = { action: ADMIN_ACTIONS };
/** Of sessions: numbers in the order of their beginning. */
const SESSION_IDS = Array.from({ length: 40 }, (_, index) => String(index + 1));

/** Every call of the contract, from what the contract says of it. */
export function contractTargets(deletionCode: string): Target[] {
  const known = [...KNOWN_IDS, ...SESSION_IDS, deletionCode];
  return (Object.keys(api) as ApiName[]).map((name) => {
    const endpoint: Endpoint = api[name];
    return { name, weight: LEAVING.includes(name) ? 1 : 3, requests: requestsOf(name, endpoint, known) };
  });
}

/** Who a call is for. */
function callers(name: ApiName, { access = 'person' }: Endpoint): fc.Arbitrary<Who> {
  if (LEAVING.includes(name)) return sessionOf(['dora', 'dirk']);
  if (access === 'admin') return sessionOf(['boss']);
  if (access === 'public') return fc.oneof(fc.constant<Who>({ kind: 'nobody' }), sessionOf(ADVERTISERS));
  return sessionOf(ADVERTISERS);
}

/** Whoever else may try. */
function others(name: ApiName): fc.Arbitrary<Who> {
  if (LEAVING.includes(name)) return fc.oneof(badSession, sessionOf(['dora', 'dirk']));
  return fc.oneof(badSession, sessionOf([...PERSON_KEYS]));
}

interface Made {
  who: Who;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

function requestsOf(name: ApiName, endpoint: Endpoint, known: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const shape = endpoint.params.shape as unknown as Record<string, Parameters<typeof validValue>[0]>;
  const body = endpoint.body === null ? fc.constant(undefined) : validValue(endpoint.body, known);
  const query =
    endpoint.query === undefined
      ? fc.constant({})
      : (validValue(endpoint.query, known) as fc.Arbitrary<Record<string, unknown>>);
  const paramsFor = (who: Who) =>
    fc.record(
      Object.fromEntries(
        Object.entries(shape).map(([param, schema]) => [
          param,
          validValue(schema, KNOWN[param] ?? [...known, ...idsOf(who)]),
        ]),
      ),
    );
  const made: fc.Arbitrary<Made> = callers(name, endpoint).chain((who) =>
    fc.record({ who: fc.constant(who), params: paramsFor(who), query, body }),
  );
  const valid = fc
    .tuple(made, anyAddress)
    .map(([one, headers]) => compose(name, endpoint, one, { who: one.who, headers, intent: 'valid' }));
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 4, arbitrary: nearly(name, endpoint, valid, made) },
    { weight: 3, arbitrary: hostile(name, endpoint) },
  );
}

/** Their own, so often that most are chosen from these. */
function idsOf(who: Who): string[] {
  const own = PEOPLE.find(({ key }) => who.kind === 'session' && key === who.person);
  const ids = own?.accounts.flatMap(({ id, campaigns }) => [id, ...campaigns.map((one) => one.id)]) ?? [];
  const sessions = who.kind === 'session' ? OWN_SESSIONS : [];
  return Array.from({ length: OWN_FOR_OTHERS }, (_, index) =>
    index % 2 === 0 ? ids : [...ids, ...sessions],
  ).flat();
}

function compose(
  name: ApiName,
  { method, path, body: schema }: Endpoint,
  { params, query, body }: Omit<Made, 'who'>,
  given: Pick<FuzzRequest, 'who' | 'headers' | 'intent'>,
): FuzzRequest {
  const text = body === undefined || schema === null ? null : utf8(JSON.stringify(body));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encode(params[param]));
  const headers = [...given.headers];
  const asked = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  const whole = asked.length === 0 ? address : `${address}?${asked.join('&')}`;
  if (text !== null) headers.push(['content-type', 'application/json']);
  return { ...given, target: name, method, path: whole, headers, body: text, framing: 'length' };
}

/** One thing is not as it should be. */
function nearly(
  name: ApiName,
  endpoint: Endpoint,
  valid: fc.Arbitrary<FuzzRequest>,
  made: fc.Arbitrary<Made>,
): fc.Arbitrary<FuzzRequest> {
  const brokenBody = fc
    .tuple(valid, nearlyValid(made.map(({ body }) => body ?? {})))
    .map(([request, body]) => withJson(request, JSON.stringify(body)));
  const brokenParams = fc
    .tuple(made, nearlyValid(made.map(({ params }) => params)), valid)
    .map(([one, params, request]) => {
      const kept = { ...one.params, ...(typeof params === 'object' ? params : {}) };
      return compose(name, endpoint, { ...one, params: kept }, { ...request, who: one.who });
    });
  const brokenQuery = fc
    .tuple(made, nearlyValid(made.map(({ query }) => query)), valid)
    .map(([one, query, request]) => {
      const broken = typeof query === 'object' && query !== null ? { ...query } : { after: query };
      return compose(name, endpoint, { ...one, query: broken }, { ...request, who: one.who });
    });
  const change = fc.oneof(
    brokenBody,
    brokenParams,
    ...(endpoint.query === undefined ? [] : [brokenQuery]),
    fc.tuple(valid, others(name)).map(([request, who]) => ({ ...request, who })),
    fc.tuple(valid, wrongMethod).map(([request, method]) => ({ ...request, method })),
    fc.tuple(valid, trickyPath).map(([request, trick]) => ({ ...request, path: trick(request.path) })),
    fc.tuple(valid, hostileHeaders).map(([request, headers]) => withHeaders(request, headers)),
    fc.tuple(valid, hostileBody).map(([request, body]) => withJson(request, body)),
    valid.map((request) => ({ ...request, framing: 'chunked' as const })),
  );
  return change.map((request) => ({ ...request, intent: 'near' }));
}

/** Nothing is as it should be, except the call that is meant. */
function hostile(name: ApiName, endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? '');
  const asked = Object.keys(endpoint.query?.shape ?? {});
  return fc
    .record({
      params: fc.record(Object.fromEntries(names.map((param) => [param, hostileText]))),
      query: fc.record(Object.fromEntries(asked.map((param) => [param, hostileText])), { requiredKeys: [] }),
      body: fc.option(
        fc.oneof(
          hostileBody,
          hostileJson.map((value) => utf8(JSON.stringify(value))),
        ),
      ),
      who: fc.oneof(callers(name, endpoint), others(name)),
      headers: hostileHeaders,
      trick: fc.oneof(
        { weight: 2, arbitrary: fc.constant((path: string) => path) },
        { weight: 1, arbitrary: trickyPath },
      ),
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constant<string>(endpoint.method) },
        { weight: 1, arbitrary: wrongMethod },
      ),
      framing: fc.constantFrom('length' as const, 'chunked' as const),
      address: anyAddress,
    })
    .map(({ params, query, body, who, headers, trick, method, framing, address }) => {
      const given = { who, headers: address, intent: 'hostile' as const };
      const plain = compose(name, endpoint, { params, query, body: undefined }, given);
      const withBody = body === null ? plain : withJson(plain, body);
      return { ...withHeaders(withBody, headers), method, framing, path: trick(plain.path) };
    });
}

function withJson(request: FuzzRequest, body: string | undefined): FuzzRequest {
  const headers = request.headers.filter(([name]) => name !== 'content-type');
  return { ...request, body: utf8(body ?? ''), headers: [...headers, ['content-type', 'application/json']] };
}

/** What is said twice is said twice: the server must choose. */
export function withHeaders(request: FuzzRequest, headers: FuzzRequest['headers']): FuzzRequest {
  return { ...request, headers: [...request.headers, ...headers] };
}

/** As a browser would, where there is a way. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
}
