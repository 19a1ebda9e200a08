import type { LightMyRequestResponse as Response } from 'fastify';
import type { ApiName } from '../../src/contract/api.ts';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { REFUSALS, errorEnvelope } from '../../src/contract/errors.ts';
import { secretsIn } from '../invariants/secrets.ts';
import type { FuzzRequest } from './requests.ts';
import { marksIn, userOf } from './users.ts';

interface Given {
  request: FuzzRequest;
  /** The request as text. */
  sent: string;
  response: Response;
  /** The addresses to which the product may redirect. */
  origins: readonly string[];
  secrets: Iterable<string>;
}

/** After the calls of `lena` Meta refuses SmartPause's access. */
const EXPECTED_OF_LEAVING = [
  'TOKEN_EXPIRED',
  'PLATFORM_UNAVAILABLE',
  'ACCOUNT_DELETE_FAILED',
  'DEAUTH_FAILED',
];

/** All violations of a response. */
export function checkResponse(given: Given): string[] {
  const { request, response, origins } = given;
  const { statusCode: status, headers } = response;
  const wrong = checkContents(given);
  const { location } = headers;
  if (typeof location === 'string' && !origins.some((origin) => location.startsWith(`${origin}/`)))
    wrong.push(`redirects to ${location.slice(0, 200)}`);
  // A path that cannot be decoded is refused before it has one.
  if (headers['x-request-id'] === undefined && status !== 400) wrong.push(`${status} without a request id`);
  if (request.method === 'HEAD') return status >= 500 ? [...wrong, `status ${status}`] : wrong;
  if (status >= 400) return [...wrong, ...checkRefusal(request, response)];
  const endpoint: Endpoint | undefined = Object.hasOwn(api, request.target)
    ? api[request.target as ApiName]
    : undefined;
  if (request.isValid && endpoint !== undefined) {
    const parsed = endpoint.reply.safeParse(jsonOf(response.body));
    if (!parsed.success) wrong.push(`not the reply of the contract: ${parsed.error.message.slice(0, 300)}`);
  }
  return wrong;
}

function checkRefusal(request: FuzzRequest, { statusCode: status, headers, body }: Response): string[] {
  const isPage = headers['content-type']?.toString().startsWith('text/html') === true;
  if (isPage && status === 404) return [];
  const envelope = errorEnvelope.safeParse(jsonOf(body));
  if (!envelope.success) return [`${status} without the error envelope: ${body.slice(0, 200)}`];
  const { code, message } = envelope.data.error;
  const known = Object.entries(REFUSALS).find(([name]) => name === code)?.[1];
  if (known?.status !== status) return [`${code} with the status ${status}`];
  const isLeaving = 'key' in request.who && request.who.key === 'lena' && EXPECTED_OF_LEAVING.includes(code);
  if (status >= 500 && !isLeaving) return [`status ${status} ${code}: ${message}`];
  const isContradiction = request.isValid && code === 'INVALID_REQUEST';
  return isContradiction ? [`valid by the contract, and refused: ${message}`] : [];
}

/** No secret, and no data of another user: only the administrator sees all users. */
function checkContents({ request: { who }, sent, response, secrets }: Given): string[] {
  const text = `${JSON.stringify(response.headers)}\n${response.body}`;
  const wrong = secretsIn(text, secrets, sent).map((secret) => `the response has the secret ${secret}`);
  const own = 'key' in who ? userOf(who.key) : undefined;
  if (own?.key === 'boss') return wrong;
  const others = marksIn(text).filter(
    ({ mark, number }) => number !== own?.number && !sent.toLowerCase().includes(mark.toLowerCase()),
  );
  return [...wrong, ...others.map(({ mark }) => `the response has ${mark}, which belongs to another user`)];
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
