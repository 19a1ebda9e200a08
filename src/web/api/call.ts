import { userApi } from '#contract/user-api.ts';
import type { BodySentTo, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { REFUSALS, errorEnvelope } from '#contract/errors.ts';
import { checkConnection } from './connection.ts';
import { isOwnServer } from './own-server.ts';
import { homeAddress, rememberWanted } from '../browser/return-to.ts';
import { dropToken, readToken, whenReplaced } from './token.ts';

type ParamsPart<E extends Endpoint> = E['params'] extends object ? { params: ParamsOf<E> } : unknown;
type BodyPart<E extends Endpoint> = E['body'] extends object ? { body: BodySentTo<E> } : unknown;
type Input<E extends Endpoint> = ParamsPart<E> & QueryPart<E> & BodyPart<E>;
/** The time limit of a call, for callers that must not wait without end. */
interface CallOptions {
  signal?: AbortSignal;
}
type QueryPart<E extends Endpoint> = E['query'] extends object ? { query: QueryOf<E> } : unknown;
type InputArguments<E extends Endpoint> = unknown extends Input<E> ? [] : [input: Input<E> & CallOptions];

/** The server refused the call or failed. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** The server's own message for the user. */
  readonly reason: string | null;

  constructor(
    message: string,
    answer: { status: number; code?: string | undefined; reason?: string | undefined },
  ) {
    super(message);
    this.name = 'CallError';
    this.status = answer.status;
    this.code = answer.code ?? null;
    this.reason = answer.reason ?? null;
  }
}

export function isRefusal(error: unknown, code: RefusalCode): boolean {
  return error instanceof CallError && error.code === code;
}

/**
 * @returns null where the server does not have this call or the resource. Our own server sends a code
 * with each 404; one without a code comes from a proxy and is an error.
 */
export async function orNull<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return asking.catch((error: unknown) => {
    const isAbsent = error instanceof CallError && error.status === 404;
    if (isAbsent && (error.code !== null || !isOwnServer())) return null;
    throw error;
  });
}

/** The server's message, or this fallback where it sent none. */
export function reasonOr(fallback: string, error: unknown): string {
  return (error instanceof CallError ? error.reason : null) ?? fallback;
}

/** Dependencies of a call. */
export interface Surroundings {
  origin: string;
  readToken: () => string | null;
  /** The server does not know this token any more. */
  onExpired: () => void;
  /** No response, or one from a proxy in front of our server. */
  onUnreachable: () => void;
  /** Waits for a token replacement in progress: until it ends, a 401 may concern the old token. */
  replacing: (endpoint: Endpoint) => Promise<unknown>;
}

export type Call = <E extends Endpoint>(endpoint: E, ...input: InputArguments<E>) => Promise<ReplyOf<E>>;

/** Sent by proxies; responses of our server carry a code. */
const GATEWAY_FAILURES = [502, 503, 504];

interface Sent extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

export function createCall(around: Surroundings): Call {
  return async (endpoint, ...[input]) => {
    const token = endpoint.access === 'public' ? null : around.readToken();
    if (token === null && endpoint.access !== 'public') throw new Error('No authentication token available');
    const { params = {}, query = {}, body, signal = null } = (input ?? {}) as Sent;
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const request: RequestInit = { method: endpoint.method, headers, signal };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      request.body = JSON.stringify(body);
    }
    const address = around.origin + fillPath(endpoint.path, params) + queryCopy(query);
    const response = await fetch(address, request).catch((error: unknown) => {
      if (signal?.aborted !== true) around.onUnreachable();
      throw error;
    });
    if (response.status === 401 && token !== null) {
      // The 401 may concern a token that was replaced during the call.
      await around.replacing(endpoint);
      if (around.readToken() === token) around.onExpired();
      throw new CallError(REFUSALS.UNAUTHENTICATED.message, { status: 401, code: 'UNAUTHENTICATED' });
    }
    if (!response.ok) {
      const error = await failure(response);
      if (error.code === null && GATEWAY_FAILURES.includes(error.status)) around.onUnreachable();
      throw error;
    }
    return parseReply(endpoint, response);
  };
}

async function parseReply<E extends Endpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> {
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  const parsed = endpoint.reply.safeParse(await response.json().catch(() => undefined));
  if (isPage || !parsed.success) {
    // A server that returns its page for every address does not have this call.
    const status = isPage ? 404 : response.status;
    throw new CallError('API call failed: the answer was not understood', { status });
  }
  return parsed.data as ReplyOf<E>;
}

async function failure(response: Response): Promise<CallError> {
  const message = `API call failed: ${response.statusText || String(response.status)}`;
  const body: unknown = await response.json().catch(() => undefined);
  const envelope = errorEnvelope.safeParse(body);
  if (!envelope.success) return new CallError(message, { status: response.status, ...refusalIn(body) });
  const { code, message: reason } = envelope.data.error;
  return new CallError(message, { status: response.status, code, reason });
}

/**
 * The specification does not say where code and message of an error are. Both are read from the body, its
 * `error` object or its `error` string. A string with a space is a message, another is a code.
 */
function refusalIn(body: unknown): { code: string | undefined; reason: string | undefined } {
  const outer = fieldsOf(body);
  const inner = fieldsOf(outer['error']);
  const text = textOf(outer['error']);
  const isMessage = text?.includes(' ') === true;
  const code = textOf(inner['code']) ?? textOf(outer['code']) ?? (isMessage ? undefined : text);
  const message = textOf(inner['message']) ?? textOf(outer['message']) ?? (isMessage ? text : undefined);
  return { code, reason: code !== undefined && isRefusalCode(code) ? REFUSALS[code].message : message };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code);
}

function fillPath(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryCopy(query: Record<string, string | undefined>): string {
  const said = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`;
}

/** A user whose account was deleted has no session, and reads the progress on this page. */
const STAYS = /^\/data-deletion\//;

/** Calls that replace or end the session; they cannot wait for themselves. */
const ENDS_SESSION: readonly Endpoint[] = [userApi.initialize, userApi.deauthorize, userApi.deleteAccount];

export const call: Call = createCall({
  origin: '',
  readToken,
  replacing: (endpoint) => (ENDS_SESSION.includes(endpoint) ? Promise.resolve() : whenReplaced()),
  onUnreachable: checkConnection,
  onExpired: leave,
});

/** Applies the 401 rules to a request outside the contract. */
export async function hearOfRefusedToken(token: string): Promise<void> {
  await whenReplaced();
  if (readToken() === token) leave();
}

function leave(): void {
  dropToken();
  if (STAYS.test(window.location.pathname)) return;
  rememberWanted(window.location);
  window.location.assign(homeAddress(window.location.search));
}
