import { z } from 'zod';
import type { AppStop } from '#core/app-state.ts';
import { PROBE_MS } from '#core/app-state.ts';
import type { FailureKind, PlatformFailure, Subject } from '#core/platform.ts';
import { FAILURE_KINDS } from '#core/platform.ts';
import { hours, seconds } from '#core/time.ts';

const words = z.string().nullish().catch(null);
const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  ])
  .nullish()
  .catch(null);

export const platformError = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: number,
    error_subcode: number,
    is_transient: z.boolean().optional().catch(undefined),
    error_user_title: words,
    error_user_msg: words,
  }),
});
export type PlatformError = z.infer<typeof platformError>['error'];

/** Codes whose subcode decides. Checked first. */
const BY_SUBCODE: Record<string, FailureKind> = {
  // The object does not exist, the token may not access it, or it does not support the operation.
  '100/33': 'gone',
  // The campaign was deleted.
  '100/1487566': 'gone',
  // Too many reports of the ads insights: other calls go on.
  '4/1504022': 'rate_limited',
  '4/1504039': 'rate_limited',
  // The terms of a feature are not accepted; the token is not the cause.
  '200/1870034': 'rejected',
};

/** The platform documents its codes, and sends the same HTTP status for very different ones. */
const CODES: Record<FailureKind, readonly number[]> = {
  transient: [-3, 1, 2, 960, 2650, 5000],
  rate_limited: [17, 32, 341, 613],
  token_invalid: [102, 190],
  permission: [3, 10, 2615, 1815694, 1404163, 3910001],
  blocked: [368, 1404078, 2859015],
  gone: [803, 1487566],
  rejected: [801],
  misconfigured: [104, 2635, 2500],
  app_limited: [4],
  app_blocked: [101],
};
const KINDS = new Map(FAILURE_KINDS.flatMap((kind) => CODES[kind].map((code) => [code, kind])));
const WAITS: Partial<Record<FailureKind, number>> = { blocked: hours(1), app_limited: PROBE_MS };
/** Meta also reports a dead token, or a missing permission, with these. */
const TOKEN_IN_DOUBT: Record<string, Subject[]> = {
  '100': ['user', 'account', 'campaign'],
  '100/33': ['user', 'account'],
};
/** The subcode of more than 100 changes per second to one ad account. */
const CHANGES_TOO_FAST = 5044001;

/** With these codes Meta also refuses the app itself: only the message tells. With others it may mean a promoted app. */
const MAY_BE_OF_APP = new Set([3, 10, 101, 102, 190, 200]);
const OF_APP =
  /\bAPI access (blocked|deactivated|disabled|disrupted|restricted)|\berror validating application\b|\bapp(lication)? (is|was|has been) ((currently|still|temporarily) )?(deleted|disabled|deactivated|blocked|suspended|restricted|inactive|not active|unavailable|not available|in development mode)\b/i;
/** 'Cannot get application info due to a system error' is a fault of Meta. */
const SYSTEM_ERROR = /\bsystem error\b/i;

/** Classifies errors of the ad platform by their code; the HTTP status counts only if the code is unknown. */
export function classifyError(error: PlatformError, status = 400): PlatformFailure {
  const subcode = error.error_subcode ?? null;
  const code = error.code == null ? null : [error.code, subcode ?? []].flat().join('/');
  const kind = kindOf(error, status);
  return {
    kind,
    code,
    message: error.message.slice(0, 300),
    saidToUser: wordsOf(error),
    maybeDone: kind === 'transient',
    retryAfterMs: WAITS[kind] ?? (subcode === CHANGES_TOO_FAST ? seconds(1) : null),
    tokenInDoubt: TOKEN_IN_DOUBT[code ?? ''] ?? [],
    appStop: appStopOf(kind, error),
  };
}

function kindOf({ code, error_subcode, is_transient, message }: PlatformError, status: number): FailureKind {
  const isTransient = is_transient === true;
  const unknown = isTransient || (status >= 500 && code !== 100) ? 'transient' : 'rejected';
  if (code == null) return unknown;
  if (MAY_BE_OF_APP.has(code) && OF_APP.test(message))
    return SYSTEM_ERROR.test(message) ? 'transient' : 'app_blocked';
  const known = BY_SUBCODE[`${code}/${error_subcode ?? ''}`] ?? KINDS.get(code);
  // During an outage of the login, the platform rejects valid tokens as well.
  if (known === 'token_invalid' && isTransient) return 'transient';
  if (known !== undefined) return known;
  if (code >= 80_000 && code <= 80_014) return 'rate_limited';
  if (code < 0) return 'transient';
  if (code >= 200 && code <= 299 && !isTransient) return 'permission';
  return unknown;
}

/** An API version that Meta has ended, and a wrong app secret. */
const OF_SETTINGS: readonly (number | null | undefined)[] = [2635, 104];

function appStopOf(kind: FailureKind, { code }: PlatformError): AppStop | null {
  if (kind === 'app_limited') return 'limited';
  if (kind === 'app_blocked') return 'blocked';
  return kind === 'misconfigured' && OF_SETTINGS.includes(code) ? 'misconfigured' : null;
}

const SAID_AT_MOST = 300;

/** 'Campaign has ended. The end date is in the past'. Activities quote campaign names, so it has no double quotes. */
function wordsOf({ error_user_title: title, error_user_msg: text, message }: PlatformError): string {
  const [first, second] = [title, text].map((part) => plain(part ?? ''));
  const both = [first, second].filter((part) => part !== '').join('. ');
  return both === '' ? plain(message) : both;
}

function plain(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').replaceAll(/["“”]/g, "'");
  return Array.from(line.trim())
    .slice(0, SAID_AT_MOST)
    .join('')
    .replace(/[.\s]+$/, '');
}
