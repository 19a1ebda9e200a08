import type { Instant } from '#core/time.ts';
import { KeyedLimit } from '../../keyed-limit.ts';

/** Result of a refresh: null on success, else the error. */
export type Outcome = 'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE' | null;

/** The oldest results beyond this are forgotten. */
const KEPT = 10_000;
/** Lists of one owner that no request waits for: less than pages may have under way for one token. */
const BEHIND_AT_ONCE = 2;

interface UnderWay {
  outcome: Promise<Outcome>;
  owner: string | null;
  /** Null: it waits for others of the same owner. */
  since: Instant | null;
  /** Does not wait any longer. */
  begin: () => Promise<Outcome>;
}

/** The lists that pages read from the platform: one read at a time for each key, shared by all requests. */
export class ListRefreshes {
  readonly #now: () => Instant;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #ended = new Map<string, { at: Instant; outcome: Outcome }>();
  readonly #behind = new KeyedLimit({ concurrency: BEHIND_AT_ONCE });
  #closed = false;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The read with this key that is under way, else a new one. It begins now: a request waits for it. */
  join(key: string, read: () => Promise<Outcome>): Promise<Outcome> {
    return (this.#underWay.get(key) ?? this.#add(key, null, read)).begin();
  }

  /** The same, when no request waits: after the earlier ones of this owner. */
  joinInLine(owner: string, key: string, read: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known.outcome;
    const { begin, outcome } = this.#add(key, owner, read);
    this.#behind.run(owner, begin, () => null).catch(() => undefined);
    return outcome;
  }

  isUnderWay(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** Whether it takes longer than this, or waits behind one that does. */
  isLate(key: string, ms: number): boolean {
    const entry = this.#underWay.get(key);
    if (entry === undefined) return false;
    const takesLong = ({ since }: UnderWay): boolean => since !== null && this.#now() - since >= ms;
    if (entry.since !== null) return takesLong(entry);
    return [...this.#underWay.values()].some((other) => other.owner === entry.owner && takesLong(other));
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

  /** Begins none any more, and waits for those that are under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#underWay.values()].map(({ outcome }) => outcome));
  }

  #add(key: string, owner: string | null, read: () => Promise<Outcome>): UnderWay {
    const begun = Promise.withResolvers<Outcome>();
    const outcome = begun.promise
      .then(
        (result) => this.#remember(key, result),
        (error: unknown) => {
          this.#remember(key, 'PLATFORM_UNAVAILABLE');
          throw error;
        },
      )
      .finally(() => this.#underWay.delete(key));
    const begin = (): Promise<Outcome> => {
      if (entry.since === null) begun.resolve(this.#closed ? 'PLATFORM_UNAVAILABLE' : read());
      entry.since ??= this.#now();
      return outcome;
    };
    const entry: UnderWay = { outcome, owner, since: null, begin };
    this.#underWay.set(key, entry);
    return entry;
  }

  #remember(key: string, outcome: Outcome): Outcome {
    this.#ended.delete(key);
    this.#ended.set(key, { at: this.#now(), outcome });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > KEPT && oldest !== undefined) this.#ended.delete(oldest);
    return outcome;
  }
}
