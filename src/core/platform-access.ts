import type { Instant } from './time.ts';
import { days } from './time.ts';

/** How good the platform's permission still is. */
export const ACCESS_STATES = ['ok', 'stale', 'expired'] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** From this long before a token's end its person is asked to log in again. */
const STALE_BEFORE_MS = days(7);

/** When a token that ends then becomes stale. */
export function staleFrom(expiresAt: Instant): Instant {
  return expiresAt - STALE_BEFORE_MS;
}

/** @param token null: there is none; `expiresAt` null: the platform names no end */
export function accessState(
  token: { expiresAt: Instant | null; isRefused: boolean } | null,
  now: Instant,
): AccessState {
  if (token === null || token.isRefused) return 'expired';
  if (token.expiresAt === null) return 'ok';
  if (now >= token.expiresAt) return 'expired';
  return now >= staleFrom(token.expiresAt) ? 'stale' : 'ok';
}
