import type { SystemNumbers } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import { days, earliest } from '#core/time.ts';

interface Series {
  count: number;
  since: Instant;
  lastAt: Instant;
}

/** Anybody can send a forged webhook, and the next real one may be long in coming. */
const FORGOTTEN_MS = days(1);

/** Counts refused and failed webhooks of each sender since its last accepted one, in this process. */
export function watchWebhooks(): {
  handled: (from: string, isAccepted: boolean, now: Instant) => void;
  failures: (now: Instant) => SystemNumbers['webhooks'];
} {
  const failing = new Map<string, Series>();
  return {
    handled: (from, isAccepted, now) => {
      if (isAccepted) failing.delete(from);
      else {
        const { count, since } = failing.get(from) ?? { count: 0, since: now };
        failing.set(from, { count: count + 1, since, lastAt: now });
      }
    },
    failures: (now) => {
      const current = [...failing.values()].filter(({ lastAt }) => now - lastAt < FORGOTTEN_MS);
      return {
        failing: current.reduce((sum, { count }) => sum + count, 0),
        oldest: earliest(current.map(({ since }) => since)),
      };
    },
  };
}
