import type { Instant } from '#core/time.ts';

/** Result of a refresh: null on success, else the error. */
export type Outcome = 'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE' | null;

/** The oldest results beyond this are forgotten. */
const KEPT = 10_000;

/** The lists that pages read from the platform: one read at a time for each key, shared by all requests. */
export class ListRefreshes {
  readonly #now: () => Instant;
  readonly #underWay = new Map<string, { since: Instant; outcome: Promise<Outcome> }>();
  readonly #ended = new Map<string, { at: Instant; outcome: Outcome }>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The read with this key that is under way, else a new one. */
  join(key: string, read: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known.outcome;
    const outcome = read()
      .then(
        (result) => this.#remember(key, result),
        (error: unknown) => {
          this.#remember(key, 'PLATFORM_UNAVAILABLE');
          throw error;
        },
      )
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, { since: this.#now(), outcome });
    return outcome;
  }

  isUnderWay(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** Whether it takes longer than this. */
  isLate(key: string, ms: number): boolean {
    const entry = this.#underWay.get(key);
    return entry !== undefined && this.#now() - entry.since >= ms;
  }

  /** The result of the last refresh, if it ended within this time. */
  lastWithin(key: string, ms: number): Outcome | undefined {
    const last = this.#ended.get(key);
    if (last === undefined) return undefined;
    const age = this.#now() - last.at;
    return age >= 0 && age < ms ? last.outcome : undefined;
  }

  /** Whether the platform gave no answer to the last one, and that was after then. */
  hasFailedSince(key: string, then: Instant): boolean {
    const last = this.#ended.get(key);
    return last?.outcome === 'PLATFORM_UNAVAILABLE' && last.at > then;
  }

  /** Waits for those that are under way. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ outcome }) => outcome));
  }

  #remember(key: string, outcome: Outcome): Outcome {
    this.#ended.delete(key);
    this.#ended.set(key, { at: this.#now(), outcome });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > KEPT && oldest !== undefined) this.#ended.delete(oldest);
    return outcome;
  }
}
