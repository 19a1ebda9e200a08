import type { Instant } from '#core/time.ts';
import { Slots } from '../../slots.ts';

/** What came of reading a list: null when it is done, else why not. */
export type Outcome = 'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE' | null;

/** So many are remembered; whoever has been silent for longest is forgotten first. */
const KEPT = 10_000;
/** Of one person's lists for which nobody waits: less than what pages may have under way for one token. */
const IN_LINE_AT_ONCE = 2;

interface UnderWay {
  outcome: Promise<Outcome>;
  /** In whose line it stands; null: it did not have to. */
  owner: string | null;
  /** Null: it waits in line. */
  since: Instant | null;
  /** Does not let it wait in line any longer. */
  hurry: () => void;
}

/** The lists that pages have this process read from the platform: each once at a time, however many ask for it. */
export class Readings {
  readonly #now: () => Instant;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #ended = new Map<string, { at: Instant; outcome: Outcome }>();
  readonly #lines = new Map<string, Slots>();
  #closed = false;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The one with this key that is under way, or else a new one. It begins now, since somebody waits for it. */
  join(key: string, read: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#underWay.get(key);
    if (known === undefined) return this.#start(key, null, read);
    known.hurry();
    return known.outcome;
  }

  /** The same, for which nobody waits: after those that the same owner wanted before. */
  joinInLine(owner: string, key: string, read: () => Promise<Outcome>): Promise<Outcome> {
    return this.#underWay.get(key)?.outcome ?? this.#start(key, owner, read);
  }

  isUnderWay(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** Whether it takes longer than this, or waits in line behind one that does. */
  isLate(key: string, ms: number): boolean {
    const entry = this.#underWay.get(key);
    if (entry === undefined) return false;
    const takesLong = ({ since }: UnderWay): boolean => since !== null && this.#now() - since >= ms;
    if (entry.since !== null) return takesLong(entry);
    return [...this.#underWay.values()].some((other) => other.owner === entry.owner && takesLong(other));
  }

  /** What came of the last one, if it has ended within that time. */
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

  #start(key: string, owner: string | null, read: () => Promise<Outcome>): Promise<Outcome> {
    const hurried = Promise.withResolvers<undefined>();
    const entry: UnderWay = {
      outcome: Promise.resolve(null),
      owner,
      since: null,
      hurry: () => hurried.resolve(undefined),
    };
    const begin = async (): Promise<Outcome> => {
      if (this.#closed) return 'PLATFORM_UNAVAILABLE';
      entry.since = this.#now();
      return read();
    };
    this.#underWay.set(key, entry);
    entry.outcome = (owner === null ? begin() : this.#inLine(owner, hurried.promise, begin))
      .then(
        (outcome) => {
          this.#remember(key, outcome);
          return outcome;
        },
        (error: unknown) => {
          this.#remember(key, 'PLATFORM_UNAVAILABLE');
          throw error;
        },
      )
      .finally(() => this.#underWay.delete(key));
    return entry.outcome;
  }

  async #inLine(owner: string, hurried: Promise<undefined>, begin: () => Promise<Outcome>): Promise<Outcome> {
    const line = this.#lines.get(owner) ?? new Slots(IN_LINE_AT_ONCE, Infinity);
    this.#lines.set(owner, line);
    const leave = (): void => {
      line.pass();
      if (line.isIdle) this.#lines.delete(owner);
    };
    const turn = line.take(Infinity);
    const hasTurn = await Promise.race([turn, hurried]);
    if (hasTurn === true) return begin().finally(leave);
    void turn.then(leave);
    return begin();
  }

  #remember(key: string, outcome: Outcome): void {
    this.#ended.delete(key);
    this.#ended.set(key, { at: this.#now(), outcome });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > KEPT && oldest !== undefined) this.#ended.delete(oldest);
  }
}
