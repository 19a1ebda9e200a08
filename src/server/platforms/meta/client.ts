import { createHmac } from 'node:crypto';
import { clockDifference } from '#core/clock-difference.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { unreadable } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';
import type { Http, HttpResult } from '../http.ts';
import type { PlatformResult } from '../platform.ts';
import { classifyError, platformError } from './errors.ts';

export interface GraphConfig {
  /** Such as https://graph.facebook.com. */
  graphUrl: string;
  /** Such as v26.0. */
  apiVersion: string;
  appId: string;
  appSecret: string;
}

type AppKeys = Pick<GraphConfig, 'appId' | 'appSecret'>;

/** The app's own token. */
export function appTokenOf({ appId, appSecret }: AppKeys): string {
  return `${appId}|${appSecret}`;
}

/** Reads the app itself, as the app. */
export function readApp(app: AppKeys): GraphCall {
  return { method: 'GET', path: app.appId, params: { fields: 'id' }, token: appTokenOf(app) };
}

export type GraphResponse = PlatformResult<unknown> & { headers: Record<string, string> };

export interface GraphCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  params?: Record<string, string>;
  /** The user's access token; sent only in the Authorization header. */
  token?: string;
  timeoutMs?: number;
  /** Whether the circuit breaker, or the gate of our app, counts such a failure; absent: each one. */
  countsForBreaker?: (failure: PlatformFailure) => boolean;
}

export interface GraphClient {
  call(call: GraphCall): Promise<GraphResponse>;
  now(): Instant;
  /** By how much the platform's clock is ahead of ours, in milliseconds, derived from its responses. */
  aheadMs(): number;
}

/** The Date header has a resolution of one second; a larger difference means a wrong header, not a wrong clock. */
const DATE_RESOLUTION_MS = seconds(1);
const MAX_DIFFERENCE_MS = days(1);

/**
 * Calls the Graph API: each call returns a value or a classified failure.
 * @param onResponse called with each response: the kind of call, and 'ok' or the kind of failure
 */
export function createGraphClient(
  config: GraphConfig,
  http: Http,
  now: () => Instant,
  onResponse?: (kinds: { call: string; outcome: string }, tookMs: number) => void,
): GraphClient {
  let aheadMs = 0;
  return {
    now,
    aheadMs: () => aheadMs,
    async call(call) {
      const { method, path, params = {}, token, timeoutMs } = call;
      const startedAt = performance.now();
      const url = new URL(
        `${config.graphUrl.replace(/\/$/, '')}/${config.apiVersion}/${path.replace(/^\//, '')}`,
      );
      const fields = new URLSearchParams(params);
      const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'SmartPause' };
      if (token !== undefined) {
        headers['authorization'] = `Bearer ${token}`;
        fields.set('appsecret_proof', appsecretProof(config.appSecret, token));
      }
      const inBody = method === 'POST';
      if (inBody) headers['content-type'] = 'application/x-www-form-urlencoded';
      else url.search = fields.toString();
      const sentAt = now();
      const response = await http.send({
        method,
        url,
        headers,
        ...(inBody ? { body: fields.toString() } : {}),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const interpreted = interpret(response);
      // Only a response of the Graph API itself counts, not one of a proxy in between.
      if (response.ok && interpreted.ok) {
        const reading = { sentAt, at: Date.parse(response.headers['date'] ?? ''), receivedAt: now() };
        const difference = clockDifference(aheadMs, reading, DATE_RESOLUTION_MS);
        if (Math.abs(difference) <= MAX_DIFFERENCE_MS) aheadMs = difference;
      }
      const result = { ...interpreted, headers: response.ok ? response.headers : {} };
      const outcome = result.ok ? 'ok' : result.failure.kind;
      onResponse?.({ call: kindOf(call), outcome }, performance.now() - startedAt);
      return result;
    },
  };
}

/** By the last segment of the path; the others are ids. */
const KINDS: Record<string, string> = {
  adaccounts: 'ad_accounts',
  campaigns: 'campaigns',
  activities: 'activities',
  insights: 'insights',
  permissions: 'permissions',
  access_token: 'login',
  me: 'profile',
};

function kindOf({ path, params }: GraphCall): string {
  if (path === '') return params?.['batch']?.includes('"POST"') === true ? 'writes' : 'reads';
  return KINDS[path.split('/').at(-1) ?? ''] ?? 'other';
}

/** Proves that we send the token: lowercase hex HMAC-SHA256 of the token with the app secret. */
function appsecretProof(appSecret: string, token: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}

function interpret(response: HttpResult): PlatformResult<unknown> {
  if (!response.ok) {
    const { message, maybeSent, isTimeout = false } = response;
    const failure = unreadable(message, maybeSent);
    return { ok: false, failure: maybeSent ? { ...failure, noAnswer: isTimeout ? 'late' : 'cut' } : failure };
  }
  const parsed = parseJson(response.body);
  if (parsed === undefined) {
    const failure = unreadable(`HTTP ${response.status} without JSON`, true);
    return { ok: false, failure: { ...failure, noAnswer: 'cut' } };
  }
  return interpretJson(parsed, response.status);
}

/** Also for the responses inside a batch, which are complete HTTP responses. */
export function interpretJson(parsed: unknown, status: number): PlatformResult<unknown> {
  const error = hasError(parsed) ? platformError.safeParse(parsed) : null;
  if (error?.success === true) return { ok: false, failure: classifyError(error.data.error, status) };
  if (status >= 200 && status < 300) return { ok: true, value: parsed };
  return { ok: false, failure: unreadable(`HTTP ${status} without an error`, true) };
}

function hasError(parsed: unknown): boolean {
  return typeof parsed === 'object' && parsed !== null && 'error' in parsed;
}

/** An escaped character of JSON. */
const ESCAPE = /\\(?:u0000|.)/g;

/** Without characters 0, which PostgreSQL refuses: one name with it would hide a whole list. Undefined: not JSON. */
export function parseJson(text: string): unknown {
  const known = text.includes('\\u0000')
    ? text.replace(ESCAPE, (one) => (one === '\\u0000' ? '' : one))
    : text;
  try {
    return JSON.parse(known) as unknown;
  } catch {
    return undefined;
  }
}
