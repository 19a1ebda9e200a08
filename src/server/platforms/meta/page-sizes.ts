import type { Instant } from '#core/time.ts';
import { hours } from '#core/time.ts';

/** The maximum page size, for few calls. */
export const FULL_PAGE = 500;
const SMALLEST = 25;
/** Then the full size is tried again. */
const KEPT_MS = hours(1);
const MOST_LISTS = 10_000;

interface Kept {
  size: number;
  until: Instant;
  /** After a timeout or in an outage, which say little: one success ends it. */
  isGuess: boolean;
  /** The size that worked while larger ones failed; null: none. */
  worked: number | null;
}

/** Page sizes of lists that Meta does not answer in full pages, by list. */
export class PageSizes {
  /** In the order of their times. */
  readonly #kept = new Map<string, Kept>();

  of(list: string, now: Instant): number {
    const kept = this.#kept.get(list);
    return kept === undefined || kept.until <= now ? FULL_PAGE : kept.size;
  }

  /** @param isHalved larger pages failed in the same read */
  noteSuccess(list: string, size: number, now: Instant, { isHalved }: { isHalved: boolean }): void {
    if (isHalved) this.#keep(list, { size, isGuess: false, worked: size }, now);
    else if (this.#kept.get(list)?.isGuess !== true) return;
    else if (size === FULL_PAGE) this.#kept.delete(list);
    else this.#keep(list, { size: FULL_PAGE, isGuess: true, worked: size }, now);
  }

  /** The next read asks for less; after a timeout for the size that worked not long ago. */
  noteFailure(list: string, size: number, now: Instant, { isLate }: { isLate: boolean }): void {
    const kept = this.#kept.get(list);
    const worked = kept === undefined || kept.until + KEPT_MS <= now ? null : kept.worked;
    const smaller = smallerSize(size);
    if (isLate && worked !== null && worked < size)
      this.#keep(list, { size: worked, isGuess: false, worked }, now);
    else if (smaller !== null) this.#keep(list, { size: smaller, isGuess: true, worked: null }, now);
  }

  #keep(list: string, kept: Omit<Kept, 'until'>, now: Instant): void {
    this.#kept.delete(list);
    this.#kept.set(list, { ...kept, until: now + KEPT_MS });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_LISTS && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Null: there is no smaller one. */
export function smallerSize(size: number): number | null {
  return size <= SMALLEST ? null : Math.max(SMALLEST, Math.floor(size / 2));
}
