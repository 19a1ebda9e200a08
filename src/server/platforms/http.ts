import type { Dispatcher, buildConnector } from 'undici';
import { Agent } from 'undici';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
}

export type HttpResult =
  | { ok: true; status: number; headers: Record<string, string>; body: string }
  /**
   * `maybeSent`: the request may have reached the platform, and a write may have been carried out.
   * `isTimeout`: no whole response came in time. `code`: of the error, such as ECONNREFUSED; '' if it has none.
   */
  | { ok: false; maybeSent: boolean; message: string; isTimeout?: boolean; code?: string };

export interface Http {
  send(request: HttpRequest): Promise<HttpResult>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 15_000;
export const CONNECT_TIMEOUT_MS = 5_000;
/** Node gives up an address of several after 250 ms. Long enough for a lost packet; three addresses get a try. */
export const ADDRESS_TIMEOUT_MS = 1_500;
const MAX_BODY_BYTES = 20 * 1024 * 1024;
const MAX_CONNECTIONS = 512;
/** Hundreds that arrive together then keep nothing else waiting for long. */
const RESPONSES_PER_TURN = 8;
/** Without a byte order mark. */
const utf8 = new TextDecoder();
/** Failures before the first byte is sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** How a connection is made. */
export const CONNECT = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };

interface HttpOptions {
  connections?: number;
  maxBodyBytes?: number;
  /** A longer response is no failure: its body is cut there. */
  cutsBody?: boolean;
  /** Makes the connections instead: one for each request, so that it sees every one. */
  connect?: buildConnector.connector;
}

/** An HTTP client with limits on time, size and concurrency; the time includes a wait for a connection. Failures are data. */
export function createHttp(options: HttpOptions = {}): Http {
  const { connections = MAX_CONNECTIONS, maxBodyBytes = MAX_BODY_BYTES, cutsBody = false, connect } = options;
  const agent = new Agent({
    connections,
    ...(connect === undefined ? { connect: CONNECT } : { connect, pipelining: 0 }),
    keepAliveTimeout: 30_000,
    maxResponseSize: cutsBody ? -1 : maxBodyBytes,
  });
  const cutAt = cutsBody ? maxBodyBytes : Infinity;
  const handOver = inTurns(RESPONSES_PER_TURN);
  return {
    send: (call) =>
      new Promise((resolve) => dispatch({ agent, cutAt }, call, (result) => handOver(() => resolve(result)))),
    close: () => agent.destroy(),
  };
}

/** Runs at most so many in one turn of the event loop; the others follow in order. */
function inTurns(most: number): (run: () => void) => void {
  const waiting: (() => void)[] = [];
  let ran = 0;
  const next = (): void => {
    ran = 0;
    for (const run of waiting.splice(0, most)) start(run);
  };
  const start = (run: () => void): void => {
    if (ran === 0) setImmediate(next);
    ran += 1;
    run();
  };
  return (run) => {
    if (ran < most && waiting.length === 0) start(run);
    else waiting.push(run);
  };
}

/** One handler and one timer for each call: `request` of undici has a stream and a signal, too. */
function dispatch(
  { agent, cutAt }: { agent: Agent; cutAt: number },
  call: HttpRequest,
  onEnd: (result: HttpResult) => void,
): void {
  const { method, url, headers = {}, body, timeoutMs = DEFAULT_TIMEOUT_MS } = call;
  let controller: Dispatcher.DispatchController | null = null;
  let isOver = false;
  let response = { ok: true as const, status: 0, headers: {} };
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = (result: HttpResult): void => {
    clearTimeout(timer);
    if (!isOver) onEnd(result);
    isOver = true;
  };
  const succeed = (): void =>
    end({ ...response, body: utf8.decode(Buffer.concat(chunks).subarray(0, cutAt)) });
  const fail = (error: unknown): void =>
    end({
      ok: false,
      maybeSent: !NEVER_SENT.has(codeOf(error)),
      message: describe(error),
      isTimeout: false,
      code: codeOf(error),
    });
  const timer = setTimeout(() => {
    end({ ok: false, maybeSent: true, message: 'TimeoutError', isTimeout: true });
    controller?.abort(new Error('late'));
  }, timeoutMs);
  const { origin, pathname, search } = url;
  agent.dispatch(
    { origin, path: pathname + search, method, headers, body: body ?? null },
    {
      onRequestStart(started) {
        controller = started;
        // It waited for a connection for too long.
        if (isOver) started.abort(new Error('late'));
      },
      onResponseStart(_controller, status, received) {
        response = { ok: true, status, headers: flat(received) };
      },
      onResponseData(started, chunk) {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= cutAt) return;
        succeed();
        started.abort(new Error('cut'));
      },
      onResponseEnd: succeed,
      onResponseError: (_controller, error) => fail(error),
    },
  );
}

/** Their names are in lower case already. */
function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : '';
}

/**
 * Only the kind of failure: an error message of the HTTP client may quote the address, and with it a secret.
 */
function describe(error: unknown): string {
  const name = error instanceof Error ? error.name : 'Error';
  return [name, codeOf(error)].filter((word) => word !== '').join(' ');
}
