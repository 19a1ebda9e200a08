import { peoplesApi } from '#contract/peoples-api.ts';
import type { BodySentTo, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { REFUSALS, errorEnvelope } from '#contract/errors.ts';
import { doubtConnection } from './connection.ts';
import { isOwnServer } from './own-server.ts';
import { homeAddress, rememberWanted } from '../browser/return-to.ts';
import { dropToken, readToken, whenReplaced } from './token.ts';

/** The keys of an empty object schema are all strings. */
type ParamsPart<E extends Endpoint> = string extends keyof ParamsOf<E> ? unknown : { params: ParamsOf<E> };
type BodyPart<E extends Endpoint> = E['body'] extends null ? unknown : { body: BodySentTo<E> };
type Input<E extends Endpoint> = ParamsPart<E> & QueryPart<E> & BodyPart<E>;
/** Whoever will not wait for ever says for how long. */
interface Patience {
  signal?: AbortSignal;
}
type QueryPart<E extends Endpoint> = E['query'] extends object ? { query: QueryOf<E> } : unknown;
type InputArguments<E extends Endpoint> = unknown extends Input<E> ? [] : [input: Input<E> & Patience];

/** A call that was answered, but not with what was asked for. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** The server's own sentence for a person. */
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
 * @returns null where the server does not have this call, or not what the call names. Our own server has all calls and
 * names a code with each 404: without one something in front of it has answered.
 */
export async function orNull<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return asking.catch((error: unknown) => {
    const isAbsent = error instanceof CallError && error.status === 404;
    if (isAbsent && (error.code !== null || !isOwnServer())) return null;
    throw error;
  });
}

/** The server's own sentence, or ours where it gave none. */
export function reasonOr(fallback: string, error: unknown): string {
  return (error instanceof CallError ? error.reason : null) ?? fallback;
}

/** What a call needs of the world around it. */
export interface Surroundings {
  origin: string;
  readToken: () => string | null;
  /** The server does not know this token any more. */
  onExpired: () => void;
  /** Nobody has answered, or somebody who stands before our server. */
  onUnreachable: () => void;
  /** Waits for a token that is just being replaced: until its answer is here, a 401 may be about the old one. */
  replacing: (endpoint: Endpoint) => Promise<void>;
}

export type Call = <E extends Endpoint>(endpoint: E, ...input: InputArguments<E>) => Promise<ReplyOf<E>>;

/** A proxy's own answers; those of our server carry a code. */
const GATEWAY_FAILURES = [502, 503, 504];

interface Sent extends Patience {
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
    const address = around.origin + fillPath(endpoint.path, params) + queryWords(query);
    const response = await fetch(address, request).catch((error: unknown) => {
      if (signal?.aborted !== true) around.onUnreachable();
      throw error;
    });
    if (response.status === 401 && token !== null) {
      // The answer may be about a token that has been replaced while the call was under way.
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
    // A server that shows its page at every address does not have this call.
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
 * The specification does not say where the code and the message of an error stand: both are read in the body, in its
 * `error`, and from an `error` that is a text. A text with a space is a message, another is a code.
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

function queryWords(query: Record<string, string | undefined>): string {
  const said = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`;
}

/** Somebody whose deletion is done has no session any more, and this page is where they read about it. */
const STAYS = /^\/data-deletion\//;

/** Calls with whose answer the session is another, or over; they cannot wait for themselves. */
const ENDS_SESSION: readonly Endpoint[] = [
  peoplesApi.initialize,
  peoplesApi.deauthorize,
  peoplesApi.deleteAccount,
];

/** Makes one call of the contract with the stored token. */
export const call: Call = createCall({
  origin: '',
  readToken,
  replacing: (endpoint) => (ENDS_SESSION.includes(endpoint) ? Promise.resolve() : whenReplaced()),
  onUnreachable: doubtConnection,
  onExpired: leave,
});

/** The same for what is asked outside of the contract's calls. */
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
