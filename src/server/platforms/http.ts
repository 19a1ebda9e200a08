import { Agent, request } from 'undici';
import { inSpan } from '../observability/spans.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
}

export type HttpResult =
  | { ok: true; status: number; headers: Record<string, string>; body: string }
  | {
      ok: false;
      /** Whether the request may have reached the other side: a write may then have been carried out. */
      maybeSent: boolean;
      message: string;
      /** Not sent for our own sake: it says nothing about the other side. */
      isOurs?: true;
    };

export interface Http {
  send(request: HttpRequest): Promise<HttpResult>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 20 * 1024 * 1024;
const MAX_CONNECTIONS = 512;
/** For each that is under way one may wait for its connection; longer queues would only run into their timeouts. */
const WAITING_PER_CONNECTION = 1;
/** Faults that happen before a byte of the request has left. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** An HTTP client with a limit on everything: time, size, and how much is under way. Failures are data. */
export function createHttp(options: { connections?: number; maxBodyBytes?: number } = {}): Http {
  const { connections = MAX_CONNECTIONS, maxBodyBytes = MAX_BODY_BYTES } = options;
  const mostUnderWay = connections * (1 + WAITING_PER_CONNECTION);
  let underWay = 0;
  const agent = new Agent({
    connections,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: 30_000,
    maxResponseSize: maxBodyBytes,
  });
  return {
    async send({ method, url, headers = {}, body, timeoutMs = DEFAULT_TIMEOUT_MS }) {
      if (underWay >= mostUnderWay) {
        return { ok: false, maybeSent: false, message: 'too much under way', isOurs: true };
      }
      underWay += 1;
      const attributes = {
        'http.request.method': method,
        'server.address': url.host,
        // Of the address no more: behind it stand proofs and, of some, tokens.
        'url.path': url.pathname,
      };
      return inSpan(method, { kind: 'client', attributes }, async (note): Promise<HttpResult> => {
        try {
          const answer = await request(url, {
            method,
            headers,
            body: body ?? null,
            dispatcher: agent,
            signal: AbortSignal.timeout(timeoutMs),
          });
          note({ 'http.response.status_code': answer.statusCode });
          return {
            ok: true,
            status: answer.statusCode,
            headers: flat(answer.headers),
            body: await answer.body.text(),
          };
        } catch (error) {
          note({ 'error.type': describe(error) });
          return { ok: false, maybeSent: !NEVER_SENT.has(codeOf(error)), message: describe(error) };
        } finally {
          underWay -= 1;
        }
      });
    },
    close: () => agent.destroy(),
  };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : '';
}

/** The kind of failure only: an error of the HTTP client may quote the address, and with it a secret. */
function describe(error: unknown): string {
  const name = error instanceof Error ? error.name : 'Error';
  return [name, codeOf(error)].filter((word) => word !== '').join(' ');
}
