/**
 * Milliseconds since the Unix epoch. The core receives every instant as a parameter and never reads a clock.
 */
export type Instant = number;

export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => seconds(count * 60);
export const hours = (count: number): number => minutes(count * 60);
export const days = (count: number): number => hours(count * 24);

/** The earliest of the given instants, or null when there is none. */
export function earliest(instants: Iterable<Instant | null>): Instant | null {
  let found: Instant | null = null;
  for (const instant of instants) {
    if (instant !== null && (found === null || instant < found)) found = instant;
  }
  return found;
}
