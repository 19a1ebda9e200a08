import type { Instant } from '#core/time.ts';

/** What came of reading a list: null when it is done, else why not. */
export type Outcome = 'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE' | null;

/** So many are remembered; whoever has been silent for longest is forgotten first. */
const KEPT = 10_000;

/** The lists that pages have this process read from the platform: each once at a time, however many ask for it. */
export class Readings {
  readonly #now: () => Instant;
  readonly #underWay = new Map<string, Promise<Outcome>>();
  readonly #ended = new Map<string, { at: Instant; outcome: Outcome }>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The one with this key that is under way, or else a new one. */
  join(key: string, read: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const reading = read()
      .then((outcome) => {
        this.#remember(key, outcome);
        return outcome;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }

  /** What came of the last one, if it has ended within that time. */
  lastWithin(key: string, ms: number): Outcome | undefined {
    const last = this.#ended.get(key);
    if (last === undefined) return undefined;
    const age = this.#now() - last.at;
    return age >= 0 && age < ms ? last.outcome : undefined;
  }

  #remember(key: string, outcome: Outcome): void {
    this.#ended.delete(key);
    this.#ended.set(key, { at: this.#now(), outcome });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > KEPT && oldest !== undefined) this.#ended.delete(oldest);
  }
}
