import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { REFUSALS, errorEnvelope } from '#contract/errors.ts';
import type { Verdict } from './messages.ts';
import { isRefused } from './messages.ts';
import { PEOPLE, numbersIn } from './people.ts';
import type { FuzzRequest } from './request.ts';
import { faultsOfRefused } from './rules.ts';
import type { Secrets } from './secrets.ts';
import type { Answer, Exchange } from './wire.ts';
import { finalOf } from './wire.ts';

/** The login's own, and for two minutes the beginning of the token that it has just come back with. */
const COOKIES = [
  /^smartpause_login=[\w-]{43};[^\n]*HttpOnly/,
  /^smartpause_arrival=[\w-]{12}; Max-Age=120; Path=\/; SameSite=Lax$/,
];

/** What is known of one request when it is over. */
export interface Case {
  request: FuzzRequest;
  /** As it was sent. */
  sent: string;
  exchange: Exchange;
  verdict: Verdict | null;
  /** Where the product may send a browser. */
  origins: readonly string[];
  secrets: Secrets;
}

/** What every answer has, and how. */
const SAFETY_HEADERS: Record<string, RegExp> = {
  'content-security-policy':
    /^default-src 'none';.*\bbase-uri 'none';.*\bform-action 'none';.*\bframe-ancestors 'none'(;|$)/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /(^|, )geolocation=\(\)/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
};
/** What is somebody's own, or may be, is kept by nobody and is no page. */
const HEADERS_OF_DATA: Record<string, RegExp> = {
  'cache-control': /^no-store$/,
  'content-security-policy': /;sandbox$/,
};
/** Whoever has just cut themselves off from the platform is told so; and what another request is doing is waited for. */
const EXPECTED_OF_LEAVING = [
  'TOKEN_EXPIRED',
  'PLATFORM_UNAVAILABLE',
  'ACCOUNT_DELETE_FAILED',
  'DEAUTH_FAILED',
];
const SEES_EVERYBODY = ['boss'];

/** Everything that is wrong with how the product dealt with a request; usually nothing. */
export function faultsOf(given: Case): string[] {
  const { request, exchange, verdict } = given;
  if (exchange.hung) return ['neither answered nor ended: it hangs'];
  const faults = exchange.answers.flatMap((answer) => faultsOfAnswer(given, answer));
  if (exchange.answers.length === 0 && request.intent === 'valid')
    faults.push('the connection ended without an answer');
  return [...faults, ...leaks(given), ...(verdict === null ? [] : faultsOfChanges(given, verdict))];
}

function faultsOfAnswer(given: Case, answer: Answer): string[] {
  const { request } = given;
  const { status, headers } = answer;
  if (status < 200) return [];
  const faults = faultsOfHeaders(answer);
  const location = headers.get('location');
  if (location !== undefined && !given.origins.some((origin) => location.startsWith(`${origin}/`)))
    faults.push(`it leads to ${location.slice(0, 200)}`);
  const cookie = headers.get('set-cookie');
  if (cookie !== undefined && !COOKIES.some((one) => one.test(cookie)))
    faults.push(`it sets the cookie ${cookie.slice(0, 200)}`);
  if (status === 429 && !headers.has('retry-after')) faults.push('429 without retry-after');
  if (request.method === 'HEAD' || status === 304)
    return status >= 500 ? [...faults, `status ${status}`] : faults;
  if (status >= 400) return [...faults, ...faultsOfRefusal(request, answer)];
  return [...faults, ...faultsOfReply(request, answer)];
}

function faultsOfHeaders({ status, headers }: Answer): string[] {
  const isData = /^application\/json/.test(headers.get('content-type') ?? '');
  const expected = [...Object.entries(SAFETY_HEADERS), ...(isData ? Object.entries(HEADERS_OF_DATA) : [])];
  return expected.flatMap(([name, good]) => {
    const value = headers.get(name);
    if (value === undefined) return [`${status} without ${name}`];
    return good.test(value) ? [] : [`${status} with ${name}: ${value.slice(0, 300)}`];
  });
}

function faultsOfRefusal(request: FuzzRequest, { status, headers, body }: Answer): string[] {
  const isPage = /^text\/html/.test(headers.get('content-type') ?? '');
  if (isPage && status === 404 && !isCall(request)) return [];
  const envelope = errorEnvelope.safeParse(jsonOf(body));
  if (!envelope.success) return [`${status} without the error envelope: ${body.toString().slice(0, 200)}`];
  const { code, message, id } = envelope.data.error;
  const known = Object.entries(REFUSALS).find(([name]) => name === code)?.[1];
  if (known === undefined) return [`${status} with the unknown code ${code}`];
  if (known.status !== status) return [`${code} with the status ${status}`];
  const isLeaving = request.who.kind === 'session' && ['dora', 'dirk'].includes(request.who.person);
  if (status >= 500 && !(isLeaving && EXPECTED_OF_LEAVING.includes(code)))
    return [`status ${status} ${code}: ${message} ${id ?? ''}`];
  if (request.intent === 'valid' && code === 'INVALID_REQUEST')
    return [`valid by the contract, and refused: ${message}`];
  return [];
}

/** What a call answers is what the contract says it does. */
function faultsOfReply(request: FuzzRequest, { status, headers, body }: Answer): string[] {
  const endpoint = endpointOf(request);
  if (endpoint === null || status >= 300) return [];
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) return [];
  const parsed = endpoint.reply.safeParse(jsonOf(body));
  return parsed.success
    ? []
    : [`the reply is not what the contract says: ${parsed.error.message.slice(0, 300)}`];
}

/** Only where the request still is that call: its address may have been turned into another. */
function endpointOf({ target, intent }: FuzzRequest): Endpoint | null {
  return intent === 'valid' && target in api ? api[target as ApiName] : null;
}

function isCall({ path, method }: FuzzRequest): boolean {
  return path.startsWith('/api/') || method === 'POST';
}

function leaks({ request, sent, exchange, secrets }: Case): string[] {
  const text = [
    exchange.received.toString('latin1'),
    ...exchange.answers.map(({ body }) => body.toString()),
  ].join('\n');
  const faults = secrets.foundIn(text, sent).map((secret) => `the answer has ${secret}`);
  const { who } = request;
  const own = who.kind === 'session' ? PEOPLE.find(({ key }) => key === who.person) : undefined;
  if (own !== undefined && SEES_EVERYBODY.includes(own.key)) return faults;
  const said = numbersIn(sent);
  const isMaya = request.raw !== undefined;
  const others = [...numbersIn(text)].filter(
    (number) => number !== own?.number && !said.has(number) && !(isMaya && number === PEOPLE[0]?.number),
  );
  return [...faults, ...others.map((number) => `the answer names what is of person ${number}`)];
}

function faultsOfChanges({ request, exchange }: Case, verdict: Verdict): string[] {
  const answer = finalOf(exchange);
  const what = `${request.method} ${request.path}`;
  if (verdict.status === null) return [];
  if (isRefused(verdict.status, answer?.headers.get('location')))
    return faultsOfRefused({ ...verdict, what });
  const { who } = request;
  if (who.kind !== 'session') return [];
  const own = PEOPLE.find(({ key }) => key === who.person)?.userId;
  return verdict.changes
    .filter(({ owner }) => owner !== null && owner !== own)
    .map(
      ({ table, operation, columns, owner }) =>
        `it changed ${table} of ${owner ?? ''}: ${operation} of ${columns}`,
    );
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
