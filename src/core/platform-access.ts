import type { Instant } from './time.ts';
import { days } from './time.ts';

/** State of the user's access token. */
export const ACCESS_STATES = ['ok', 'stale', 'expired'] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** A token becomes stale this long before it expires; its user is asked to log in again. */
const STALE_BEFORE_MS = days(7);

export function staleFrom(expiresAt: Instant): Instant {
  return expiresAt - STALE_BEFORE_MS;
}

/** @param token null: there is none; `expiresAt` null: the platform states no expiry */
export function accessState(
  token: { expiresAt: Instant | null; isRefused: boolean } | null,
  now: Instant,
): AccessState {
  if (token === null || token.isRefused) return 'expired';
  if (token.expiresAt === null) return 'ok';
  if (now >= token.expiresAt) return 'expired';
  return now >= staleFrom(token.expiresAt) ? 'stale' : 'ok';
}
