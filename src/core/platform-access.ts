import type { Instant } from './time.ts';
import { days, hours, minutes } from './time.ts';

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
