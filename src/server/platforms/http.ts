import { Agent, request } from 'undici';

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
   * `isTimeout`: no whole response came in time.
   */
  | { ok: false; maybeSent: boolean; message: string; isTimeout?: boolean };

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
/** Failures before the first byte is sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** An HTTP client with limits on time, size and concurrency; the time includes a wait for a connection. Failures are data. */
export function createHttp(options: { connections?: number; maxBodyBytes?: number } = {}): Http {
  const { connections = MAX_CONNECTIONS, maxBodyBytes = MAX_BODY_BYTES } = options;
  const agent = new Agent({
    connections,
    connect: { timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS },
    keepAliveTimeout: 30_000,
    maxResponseSize: maxBodyBytes,
  });
  return {
    async send({ method, url, headers = {}, body, timeoutMs = DEFAULT_TIMEOUT_MS }) {
      try {
        const response = await request(url, {
          method,
          headers,
          body: body ?? null,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return {
          ok: true,
          status: response.statusCode,
          headers: flat(response.headers),
          body: await response.body.text(),
        };
      } catch (error) {
        const isTimeout = error instanceof Error && error.name === 'TimeoutError';
        return { ok: false, maybeSent: !NEVER_SENT.has(codeOf(error)), message: describe(error), isTimeout };
      }
    },
    close: () => agent.destroy(),
  };
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
