import type { Instant } from '#core/time.ts';
import { inServerTime } from './server-clock.ts';

export interface Aging {
  data: unknown;
  isError: boolean;
  dataUpdatedAt: number;
}

/** When the oldest data was read that could not be read again since; null: all is fresh, or was never read. */
export function staleSince(...queries: readonly Aging[]): Instant | null {
  const stale = queries.filter(({ data, isError }) => isError && data !== undefined);
  const oldest = Math.min(...stale.map(({ dataUpdatedAt }) => dataUpdatedAt));
  return stale.length === 0 ? null : inServerTime(oldest);
}
