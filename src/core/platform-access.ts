import type { Instant } from './time.ts';
import { days, hours } from './time.ts';

/** State of the user's access token. */
export const ACCESS_STATES = ['ok', 'stale', 'expired'] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** A token becomes stale this long before it expires; its user is asked to log in again. */
const STALE_BEFORE_MS = days(7);
/** While the longer token is requested in the background, the user is not asked during this time. */
const EXTENDING_MS = hours(1);

interface TokenEnd {
  /** Null: the platform states no expiry. */
  expiresAt: Instant | null;
  /** When the user logged in with a short-lived token that could not be exchanged yet; null: not waiting. */
  extendingSince: Instant | null;
}

/** Null: never. */
export function staleFrom({ expiresAt, extendingSince }: TokenEnd): Instant | null {
  if (expiresAt === null) return null;
  return Math.max(expiresAt - STALE_BEFORE_MS, extendingSince === null ? 0 : extendingSince + EXTENDING_MS);
}

/** @param token null: there is none */
export function accessState(token: (TokenEnd & { isRefused: boolean }) | null, now: Instant): AccessState {
  if (token === null || token.isRefused) return 'expired';
  if (token.expiresAt !== null && now >= token.expiresAt) return 'expired';
  return now >= (staleFrom(token) ?? Infinity) ? 'stale' : 'ok';
}

/** Must be exchanged for a longer one: it would be stale at once. */
export function isShortLived(expiresAt: Instant | null, now: Instant): boolean {
  return expiresAt !== null && now >= expiresAt - STALE_BEFORE_MS;
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
