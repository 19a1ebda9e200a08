import type { BodySentTo, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts';
import type { ApiErrorCode } from '#contract/errors.ts';
import { API_ERRORS } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import { compareBuild } from './build.tsx';
import { findKept, keep, replyOf } from './kept-replies.ts';
import { readServerClock } from './server-clock.ts';
import { leaveRefusedSession, readToken } from './session.ts';
import { fieldsOf, parseInParts, parseTolerantly, pause } from './tolerant.ts';

type ParamsPart<E extends Endpoint> = E['params'] extends object ? { params: ParamsOf<E> } : unknown;
type QueryPart<E extends Endpoint> = E['query'] extends object ? { query: QueryOf<E> } : unknown;
type BodyPart<E extends Endpoint> = E['body'] extends object ? { body: BodySentTo<E> } : unknown;
type Input<E extends Endpoint> = ParamsPart<E> & QueryPart<E> & BodyPart<E>;
interface CallOptions {
  signal?: AbortSignal;
}
type InputArguments<E extends Endpoint> =
  unknown extends Input<E> ? [options?: CallOptions] : [input: Input<E> & CallOptions];

interface Refusal {
  status: number;
  code?: string | undefined;
  reason?: string | undefined;
}

/** The server refused the call or failed. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** The server's own message for the user. */
  readonly reason: string | null;

  constructor(message: string, answer: Refusal) {
    super(message);
    this.name = 'CallError';
    this.status = answer.status;
    this.code = answer.code ?? null;
    this.reason = answer.reason ?? null;
  }
}

export function hasCode(error: unknown, code: ApiErrorCode): boolean {
  return error instanceof CallError && error.code === code;
}

/** @returns null where the server does not have this call or this resource */
export async function ifSupported<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return asking.catch((error: unknown) => {
    if (error instanceof CallError && error.status === 404) return null;
    throw error;
  });
}

/** The server's message, or this fallback where it sent none. */
export function errorMessage(fallback: string, error: unknown): string {
  return (error instanceof CallError ? error.reason : null) ?? fallback;
}

/** A call has failed when nothing has arrived for so long: the page must not show an old status as the current one. */
const LIMIT_MS = { GET: seconds(15), POST: seconds(60) };

interface Sent extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

export async function call<E extends Endpoint>(
  endpoint: E,
  ...[input]: InputArguments<E>
): Promise<ReplyOf<E>> {
  const token = endpoint.access === 'public' ? null : readToken();
  if (token === null && endpoint.access !== 'public') throw new Error('No authentication token available');
  const sent = (input ?? {}) as Sent;
  const address = addressOf(endpoint, sent);
  const kept = endpoint.hasTag === true ? findKept(address, token) : undefined;
  const limit = startLimit(LIMIT_MS[endpoint.method], sent.signal);
  try {
    const tag = kept?.tag ?? undefined;
    const sending = send(address, endpoint.method, { body: sent.body, token, tag, signal: limit.signal });
    const response = await readServerClock(sending);
    compareBuild(response);
    if (response.status === 401 && token !== null) {
      leaveRefusedSession(token, 'TOKEN_EXPIRED');
      throw new CallError(API_ERRORS.UNAUTHENTICATED.message, { status: 401, code: 'UNAUTHENTICATED' });
    }
    if (response.status === 304 && kept !== undefined) return replyOf(kept, response) as ReplyOf<E>;
    if (!response.ok) throw await failure(response);
    const text = await readText(response, limit.renew);
    if (endpoint.hasTag !== true) return replyIn<E>(response, parseTolerantly(endpoint, text));
    const { parsed, entries } = await parseInParts(endpoint, text, kept);
    const reply = replyIn<E>(response, parsed);
    keep(address, token, response, { reply, entries });
    // Only then it is drawn.
    await pause();
    return reply;
  } finally {
    limit.end();
  }
}

interface Request {
  body: unknown;
  token: string | null;
  tag: string | undefined;
  signal: AbortSignal;
}

function send(address: string, method: Endpoint['method'], { body, token, tag, signal }: Request) {
  return fetch(address, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // With this header the browser leaves its own cache alone, and the page gets the 304.
      ...(tag !== undefined && { 'if-none-match': tag }),
    },
    signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Aborts when `ms` have passed since it was last renewed, or when the caller aborts. */
function startLimit(ms: number, caller?: AbortSignal) {
  const hang = new AbortController();
  const giveUp = () => hang.abort(new DOMException('Nothing arrived in time', 'TimeoutError'));
  let timer = setTimeout(giveUp, ms);
  const end = () => clearTimeout(timer);
  const renew = () => {
    end();
    timer = setTimeout(giveUp, ms);
  };
  const signal = caller === undefined ? hang.signal : AbortSignal.any([caller, hang.signal]);
  return { signal, renew, end };
}

/** A body that is cut off throws like a call without a response. On a slow link, each part renews the limit. */
async function readText({ body }: Response, onPart: () => void): Promise<string> {
  if (body === null) return '';
  const reader = body.pipeThrough<string>(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    onPart();
  }
}

function replyIn<E extends Endpoint>(
  response: Response,
  parsed: ReturnType<typeof parseTolerantly>,
): ReplyOf<E> {
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  if (isPage || !parsed.success) {
    // A server that returns its page for every address does not have this call.
    const status = isPage ? 404 : response.status;
    throw new CallError('API call failed: the answer was not understood', { status });
  }
  return parsed.data as ReplyOf<E>;
}

const MESSAGES = new Map(Object.entries(API_ERRORS).map(([code, { message }]) => [code, message]));

/**
 * The specification does not say where code and message of an error are. Both are read from the body, its
 * `error` object or its `error` string. A string with a space is a message, another is a code.
 */
async function failure(response: Response): Promise<CallError> {
  const outer = fieldsOf(await response.json().catch(() => undefined));
  const inner = fieldsOf(outer['error']);
  const text = textOf(outer['error']);
  const isMessage = text?.includes(' ') === true;
  const code = textOf(inner['code']) ?? textOf(outer['code']) ?? (isMessage ? undefined : text);
  const reason = textOf(inner['message']) ?? textOf(outer['message']) ?? (isMessage ? text : undefined);
  return new CallError(`API call failed: ${response.statusText || String(response.status)}`, {
    status: response.status,
    code,
    // Which field is not valid concerns developers; the pages check what users type.
    reason: code === 'INVALID_REQUEST' ? undefined : (reason ?? MESSAGES.get(code ?? '')),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function addressOf({ path }: Endpoint, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given).toString()}`;
}
