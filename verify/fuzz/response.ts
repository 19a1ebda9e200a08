import type { ApiName } from '../../src/contract/api.ts';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { REFUSALS, errorEnvelope } from '../../src/contract/errors.ts';
import { secretsIn } from '../invariants/secrets.ts';
import type { FuzzRequest } from './requests.ts';
import { numbersIn, userOf } from './users.ts';

export interface Exchange {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Given {
  request: FuzzRequest;
  /** The request as text. */
  sent: string;
  response: Exchange;
  /** The addresses to which the product may redirect. */
  origins: readonly string[];
  secrets: Iterable<string>;
}

/** Sent by Node's HTTP parser before Fastify has a request: such a response may lack id and envelope. */
const OF_PARSER = [400, 413, 414, 417, 431];
/** After these calls Meta refuses SmartPause's access, and their own work may continue in the background. */
const EXPECTED_OF_LEAVING = [
  'TOKEN_EXPIRED',
  'PLATFORM_UNAVAILABLE',
  'ACCOUNT_DELETE_FAILED',
  'DEAUTH_FAILED',
];

/** All violations of a response. */
export function checkResponse(given: Given): string[] {
  const { request, response, origins } = given;
  const { status, headers } = response;
  const wrong = [...checkContents(given)];
  const { location } = headers;
  if (location !== undefined && !origins.some((origin) => location.startsWith(`${origin}/`)))
    wrong.push(`redirects to ${location.slice(0, 200)}`);
  if (status === 429 && headers['retry-after'] === undefined) wrong.push('429 without retry-after');
  const isOfParser = OF_PARSER.includes(status) && headers['x-request-id'] === undefined;
  if (isOfParser) return wrong;
  if (headers['x-request-id'] === undefined) wrong.push(`${status} without a request id`);
  if (request.method === 'HEAD') return status >= 500 ? [...wrong, `status ${status}`] : wrong;
  if (status >= 400) wrong.push(...checkRefusal(request, response));
  else if (request.isValid && status < 300) wrong.push(...checkReply(request, response));
  return wrong;
}

function checkRefusal(request: FuzzRequest, { status, headers, body }: Exchange): string[] {
  const isPage = headers['content-type']?.startsWith('text/html') === true;
  if (isPage && status === 404) return [];
  const envelope = errorEnvelope.safeParse(jsonOf(body));
  if (!envelope.success) return [`${status} without the error envelope: ${body.slice(0, 200)}`];
  const { code, message } = envelope.data.error;
  const known = Object.entries(REFUSALS).find(([name]) => name === code)?.[1];
  if (known?.status !== status) return [`${code} with the status ${status}`];
  const isLeaving = 'key' in request.who && request.who.key === 'lena' && EXPECTED_OF_LEAVING.includes(code);
  if (status >= 500 && !isLeaving) return [`status ${status} ${code}: ${message}`];
  if (request.isValid && code === 'INVALID_REQUEST')
    return [`valid by the contract, and refused: ${message}`];
  return [];
}

function checkReply({ target }: FuzzRequest, { headers, body }: Exchange): string[] {
  const endpoint: Endpoint = api[target as ApiName];
  if (headers['content-type']?.startsWith('application/json') !== true) return [];
  const parsed = endpoint.reply.safeParse(jsonOf(body));
  return parsed.success ? [] : [`not the reply of the contract: ${parsed.error.message.slice(0, 300)}`];
}

/** No secret, and no data of another user: only the administrator sees all users. */
function checkContents({ request: { who }, sent, response, secrets }: Given): string[] {
  const text = `${JSON.stringify(response.headers)}\n${response.body}`;
  const wrong = secretsIn(text, secrets, sent).map((secret) => `the response has the secret ${secret}`);
  const own = 'key' in who ? userOf(who.key) : undefined;
  if (own?.key === 'boss') return wrong;
  const requested = numbersIn(sent);
  const others = [...numbersIn(text)].filter((number) => number !== own?.number && !requested.has(number));
  return [...wrong, ...others.map((number) => `the response names what is of user ${number}`)];
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
