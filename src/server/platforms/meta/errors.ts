import { z } from 'zod';
import { hours, seconds } from '#core/time.ts';

/** What can be done about a failure of the ad platform. */
export const FAILURE_KINDS = [
  'transient',
  'rate_limited',
  'token_invalid',
  'permission',
  'blocked',
  'gone',
  'rejected',
  'misconfigured',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface PlatformFailure {
  kind: FailureKind;
  code: number | null;
  subcode: number | null;
  message: string;
  /** A write of ours may have been carried out all the same; read before anything else is done. */
  maybeDone: boolean;
  /** How long the platform wants us to stay away, where it says so. */
  retryAfterMs: number | null;
  /** Nobody gets an answer at the moment; in that long somebody tries again. Says nothing about this call or account. */
  askAgainMs?: number;
  /** It was not sent, since we had too much under way. Says nothing about the platform, and is no sign of an outage. */
  isOurs?: true;
}

export const platformError = z.object({
  error: z.object({
    message: z.string().default(''),
    type: z.string().optional(),
    code: z.number().nullish(),
    error_subcode: z.number().nullish(),
    is_transient: z.boolean().optional(),
  }),
});
export type PlatformError = z.infer<typeof platformError>['error'];

interface Verdict {
  kind: FailureKind;
  retryAfterMs?: number;
}

/** Codes whose subcode decides. Looked at first. */
const BY_SUBCODE: Record<string, Verdict> = {
  '100/33': { kind: 'gone' },
  '613/5044001': { kind: 'rate_limited', retryAfterMs: seconds(1) },
  '613/1487632': { kind: 'rate_limited', retryAfterMs: hours(1) },
  '17/1885172': { kind: 'rate_limited', retryAfterMs: hours(24) },
  '100/1487566': { kind: 'gone' },
  '100/1487056': { kind: 'gone' },
  '200/1870034': { kind: 'rejected' },
};

/** The platform documents what its codes mean, and sends the same HTTP status for very different ones. */
const BY_CODE: Record<number, Verdict> = {
  [-3]: { kind: 'transient' },
  1: { kind: 'transient' },
  2: { kind: 'transient' },
  960: { kind: 'transient' },
  2650: { kind: 'transient' },
  5000: { kind: 'transient' },
  4: { kind: 'rate_limited' },
  17: { kind: 'rate_limited' },
  32: { kind: 'rate_limited' },
  341: { kind: 'rate_limited' },
  613: { kind: 'rate_limited' },
  368: { kind: 'blocked', retryAfterMs: hours(1) },
  1404078: { kind: 'blocked', retryAfterMs: hours(1) },
  2859015: { kind: 'blocked', retryAfterMs: hours(1) },
  102: { kind: 'token_invalid' },
  190: { kind: 'token_invalid' },
  104: { kind: 'misconfigured' },
  2635: { kind: 'misconfigured' },
  2500: { kind: 'misconfigured' },
  3: { kind: 'permission' },
  10: { kind: 'permission' },
  2615: { kind: 'permission' },
  1815694: { kind: 'permission' },
  1404163: { kind: 'permission' },
  3910001: { kind: 'permission' },
  803: { kind: 'gone' },
  1487566: { kind: 'gone' },
  1487056: { kind: 'gone' },
  801: { kind: 'rejected' },
};

/** The one place that says what an error of the ad platform means: by its code, never by the HTTP status. */
export function classifyError(error: PlatformError): PlatformFailure {
  const code = error.code ?? null;
  const subcode = error.error_subcode ?? null;
  const verdict = verdictOf(code, subcode, error.is_transient === true);
  return {
    kind: verdict.kind,
    code,
    subcode,
    message: error.message.slice(0, 300),
    maybeDone: verdict.kind === 'transient',
    retryAfterMs: verdict.retryAfterMs ?? null,
  };
}

function verdictOf(code: number | null, subcode: number | null, isTransient: boolean): Verdict {
  if (code === null) return { kind: isTransient ? 'transient' : 'rejected' };
  const known = BY_SUBCODE[`${code}/${subcode ?? ''}`] ?? BY_CODE[code];
  // In an outage of the login the platform says so of good tokens as well.
  if (known?.kind === 'token_invalid' && isTransient) return { kind: 'transient' };
  if (known !== undefined) return known;
  if (code >= 80_000 && code <= 80_014) return { kind: 'rate_limited' };
  if (code >= 200 && code <= 299) return isTransient ? { kind: 'transient' } : { kind: 'permission' };
  return { kind: isTransient || code < 0 ? 'transient' : 'rejected' };
}

/** No answer that can be understood: a broken connection, HTML, half a JSON. */
export function unreadable(message: string, maybeDone: boolean): PlatformFailure {
  return { kind: 'transient', code: null, subcode: null, message, maybeDone, retryAfterMs: null };
}

export function tooMuchUnderWay(): PlatformFailure {
  return { ...unreadable('too much under way', false), isOurs: true };
}

/** Code and subcode say enough; the platform's own words may name people or campaigns. */
export function describeFailure(failure: {
  kind: string;
  code: number | null;
  subcode: number | null;
  isOurs?: boolean;
}): string {
  if (failure.isOurs === true) return 'not sent';
  const numbers = [failure.code, failure.subcode].filter((number) => number !== null).join('/');
  return numbers === '' ? failure.kind : `${failure.kind} (${numbers})`;
}
