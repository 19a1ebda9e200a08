import type { Instant } from '#core/time.ts';
import { hours } from '#core/time.ts';

/** The maximum page size, for few calls. */
const FULL = 500;
const SMALLEST = 25;
/** Then the full size is tried again. */
const KEPT_MS = hours(1);
const MOST_LISTS = 10_000;

/** Page sizes of lists that Meta does not answer in full pages, by path. */
export class PageSizes {
  /** In the order of their times. */
  readonly #kept = new Map<string, { size: number; until: Instant; isGuess: boolean }>();

  of(path: string, now: Instant): number {
    const kept = this.#kept.get(path);
    return kept === undefined || kept.until <= now ? FULL : kept.size;
  }

  /** @param isGuess a failure in an outage says little: one success ends it */
  keep(path: string, size: number, now: Instant, { isGuess } = { isGuess: false }): void {
    this.#kept.delete(path);
    this.#kept.set(path, { size, until: now + KEPT_MS, isGuess });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_LISTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  endGuess(path: string): void {
    if (this.#kept.get(path)?.isGuess === true) this.#kept.delete(path);
  }
}

/** Null: there is no smaller one. */
export function smallerSize(size: number): number | null {
  return size <= SMALLEST ? null : Math.max(SMALLEST, Math.floor(size / 2));
}
