import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** More in a second than this fill whole chunks: the database has its hands full. */
const HURRIED_PER_SECOND = 50;

/** How often turns write to the platform. */
export class Pace {
  #second = 0;
  #count = 0;
  #before = 0;

  wroteAt(now: Instant): void {
    this.#goTo(now);
    this.#count += 1;
  }

  /** So many ad accounts are worked on that whatever else wants the database had better wait. */
  isHurried(now: Instant): boolean {
    this.#goTo(now);
    return Math.max(this.#count, this.#before) > HURRIED_PER_SECOND;
  }

  #goTo(now: Instant): void {
    const second = Math.floor(now / seconds(1));
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#count : 0;
    this.#count = 0;
    this.#second = second;
  }
}
