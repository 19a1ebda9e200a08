import Stripe from 'stripe';
import type { Mailer } from '../../src/server/notifications/channels/email.ts';
import type { Http, HttpRequest, HttpResult } from '../../src/server/platforms/http.ts';
import type { Handle, SimRequest } from '../../simulators/kit/http.ts';
import { requestOf } from '../../simulators/kit/http.ts';
import type { Mails } from '../../simulators/mailbox/mails.ts';

type Send = Http['send'];

const DEFAULT_TIMEOUT_MS = 15_000;
const STRIPE_TIMEOUT_MS = 8000;

/** HTTP to functions of this process instead of servers, by host. */
export function httpTo(handles: ReadonlyMap<string, Handle>): Http {
  return {
    async send(request) {
      const handle = handles.get(request.url.host);
      if (handle === undefined) return { ok: false, maybeSent: false, message: 'ECONNREFUSED' };
      const late = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
      const expired = new Promise<HttpResult>((resolve) => {
        late.addEventListener('abort', () => resolve(failed('TimeoutError')));
      });
      return Promise.race([answered(handle, toSimRequest(request, late)), expired]);
    },
    close: () => Promise.resolve(),
  };
}

/** What a product gets for a request that arrives. */
export async function answered(handle: Handle, request: SimRequest): Promise<HttpResult> {
  const answer = await handle(request);
  if (answer === 'cut') return failed('ECONNRESET');
  const lower = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ok: true,
    status: answer.status,
    headers: Object.fromEntries(lower) as Record<string, string>,
    body: answer.body,
  };
}

export function failed(message: string): HttpResult {
  return { ok: false, maybeSent: true, message, isTimeout: message === 'TimeoutError' };
}

export function toSimRequest(
  { method, url, headers = {}, body = '' }: HttpRequest,
  gone = new AbortController().signal,
): SimRequest {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return requestOf({ method, url, headers: Object.fromEntries(lower) as Record<string, string>, body, gone });
}

/** The fetch of a client in the server's process. */
export function fetchTo(handle: Handle): typeof fetch {
  return async (address, init) => {
    const request = new Request(address, init);
    const answer = await handle(
      requestOf({
        method: request.method,
        url: new URL(request.url),
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        gone: request.signal,
      }),
    );
    if (answer === 'cut') throw new TypeError('fetch failed');
    return new Response(answer.body === '' ? null : answer.body, answer);
  };
}

/** Delivers emails without SMTP. */
export function mailerTo(mails: Mails, author: string): Mailer {
  return {
    send({ messageId, to, subject, text, html, writtenAt: at }) {
      mails.keep({ at, from: author, to: [to], author, subject, messageId, headers: {}, text, html });
      return Promise.resolve({ ok: true });
    },
  };
}

/** The HTTP client of Stripe's SDK over such a function. */
export function stripeOver(send: Send): Stripe.HttpClient {
  const fetchLike = async (address: string | URL, init: RequestInit = {}) => {
    const { method, headers, body } = init;
    const result = await send({
      method: method === 'POST' || method === 'DELETE' ? method : 'GET',
      url: new URL(address),
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body }),
      timeoutMs: STRIPE_TIMEOUT_MS,
    });
    if (!result.ok) throw Object.assign(new TypeError('fetch failed'), { code: result.message });
    return {
      status: result.status,
      headers: new Headers(result.headers),
      json: () => Promise.resolve(JSON.parse(result.body) as unknown),
      text: () => Promise.resolve(result.body),
    };
  };
  // The SDK reads nothing else of a response.
  return Stripe.createFetchHttpClient(fetchLike as unknown as typeof fetch);
}
