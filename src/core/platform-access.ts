import type { Instant } from './time.ts';
import { days, earliest, hours, minutes } from './time.ts';

/** State of the user's access token. */
export const ACCESS_STATES = ['ok', 'stale', 'expired'] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** A token becomes stale this long before it expires; its user is asked to log in again. */
const STALE_BEFORE_MS = days(7);
/** While the longer token is requested in the background, the user is not asked during this time. */
const EXCHANGING_MS = hours(1);
/** A short-lived token without a stated expiry lives about this long. */
const SHORT_LIFE_MS = hours(2);
/** Meta refuses to inspect tokens for this long before a refused call of the user's own counts instead. */
const INSPECTOR_REFUSES_MS = minutes(15);

/** Why a stored token counts as refused: the result of a check, which proves little during a login outage. */
export const NO_LONGER_VALID = 'no longer valid';
/** The user has logged in without it, or removed it on Meta. */
export const PERMISSION_TAKEN_BACK = 'ads_management was taken back';
/** Reported by Meta itself, so an outage cannot cause it. */
export const REMOVED_ON_META = 'removed on Meta';

const CHECK_EVERY_MS = days(1);
/** A call that Meta refuses is repeated often, also while the token is good. */
export const SUSPECTED_EVERY_MS = minutes(10);
/** Between two tries of the exchange for a longer token; a short-lived token lives one to two hours. */
const EXCHANGE_EVERY_MS = minutes(2);

/** Only an accepted write proves that a block is over, and none may be due: without one it counts for a day. */
export const BLOCK_COUNTS_MS = days(1);

export function countsAsBlocked(until: Instant | null, now: Instant): boolean {
  return until !== null && until > now - BLOCK_COUNTS_MS;
}

export interface TokenLife {
  /** Null: the platform states no expiry. */
  expiresAt: Instant | null;
  savedAt: Instant;
  /** The user logged in with a short-lived token that is still to be exchanged for a longer one. */
  isShortLived: boolean;
}

/** Null: never. */
export function staleFrom({ expiresAt, savedAt, isShortLived }: TokenLife): Instant | null {
  if (expiresAt === null) return null;
  return Math.max(expiresAt - STALE_BEFORE_MS, isShortLived ? savedAt + EXCHANGING_MS : 0);
}

/** When to check it: at least daily, and when it becomes stale or expires. */
export function nextTokenCheck(token: TokenLife, now: Instant): Instant {
  const everyMs = token.isShortLived ? EXCHANGE_EVERY_MS : CHECK_EVERY_MS;
  const turns = [staleFrom(token), token.expiresAt].filter((at) => at !== null && at > now);
  return earliest([now + everyMs, ...turns]) ?? now;
}

/** @param token null: there is none */
export function accessState(
  token: (TokenLife & { rejectedAt: Instant | null }) | null,
  now: Instant,
): AccessState {
  if (token === null || token.rejectedAt !== null) return 'expired';
  if (token.expiresAt !== null && now >= token.expiresAt) return 'expired';
  return now >= (staleFrom(token) ?? Infinity) ? 'stale' : 'ok';
}

/** Must be exchanged for a longer one: it would be stale at once. */
export function isShortLived(expiresAt: Instant | null, now: Instant): boolean {
  return expiresAt !== null && now >= expiresAt - STALE_BEFORE_MS;
}

/** The exchange for a longer token is still worth a try. */
export function isExchangeable({ expiresAt, savedAt, isShortLived }: TokenLife, now: Instant): boolean {
  return isShortLived && now < (expiresAt ?? savedAt + SHORT_LIFE_MS);
}

/** Whether a refused call with the token rejects it, although Meta does not inspect it. @param refusedSince the inspections */
export function ownCallDecides(refusedSince: Instant | null, now: Instant): boolean {
  return refusedSince !== null && now - refusedSince >= INSPECTOR_REFUSES_MS;
}

interface Ending {
  token: string;
  expiresAt: Instant | null;
}

/** The one that ends later. The platform may return the same token, or name no expiry. */
export function longerOf(first: Ending, other: Ending): Ending {
  if (first.expiresAt === null) return other;
  if (other.expiresAt === null) return other.token === first.token ? first : other;
  return other.expiresAt > first.expiresAt ? other : first;
}
