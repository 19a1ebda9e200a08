import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { AdPlatform } from '../platforms/meta/ads.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { tooMuchUnderWay } from '../platforms/meta/errors.ts';
import type { Clock } from '../clock.ts';
import { Breaks } from './breaks.ts';

/** Calls that take longer keep their place while their turn writes: for the others it would be free for next to nothing. */
const QUICK_MS = seconds(1);
/** None takes longer: meanwhile the clock was set, which says nothing of the call. */
const LONGEST_MS = minutes(1);
/** How much the last call counts in what is usual. */
const WEIGHT_OF_LAST = 0.05;
/** What was read, and written before it is sent, is not old yet. */
const PATIENCE_MS = seconds(2);
const ASK_AGAIN_MS = seconds(1);

/**
 * So many calls may be under way at the platform at a time. What a turn has read grows old until it has written: the
 * further calls of a turn go before the first ones of others, and are not made at all when it takes too long.
 */
export class Places {
  /** Before each call and after each answer: what a turn does in between is what the engine works. */
  readonly breaks: Breaks;
  readonly #clock: Clock;
  readonly #whenFree: () => void;
  readonly #waiting = new Set<(hasPlace: boolean) => void>();
  #free: number;
  #closed = false;
  #usualMs = 0;

  /** @param whenFree a turn may begin */
  constructor(atOnce: number, clock: Clock, whenFree: () => void, breaks = new Breaks()) {
    this.breaks = breaks;
    this.#free = atOnce;
    this.#clock = clock;
    this.#whenFree = whenFree;
  }

  /** With a place for the first call of a turn; null while all are taken. */
  begin(): CallsOfTurn | null {
    if (this.#free === 0) return null;
    this.#free -= 1;
    return new CallsOfTurn(this);
  }

  /** False: there was none in time, or there will be none any more. */
  async take(): Promise<boolean> {
    if (this.#closed) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    const cancel = this.#clock.after(PATIENCE_MS, () => {
      this.#waiting.delete(resolve);
      resolve(false);
    });
    return promise.finally(cancel);
  }

  pass(): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next(true);
      return;
    }
    this.#free += 1;
    this.#whenFree();
  }

  /** From now on no call begins. */
  close(): void {
    this.#closed = true;
    for (const none of this.#waiting) none(false);
    this.#waiting.clear();
  }

  /** Where lists are quick and writes are slow, who passed on a place after the list would find none for the write. */
  isQuick(tookMs: number): boolean {
    const isKnown = tookMs >= 0 && tookMs <= LONGEST_MS;
    if (isKnown) this.#usualMs += (tookMs - this.#usualMs) * WEIGHT_OF_LAST;
    return Math.max(isKnown ? tookMs : 0, this.#usualMs) <= QUICK_MS;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  now(): Instant {
    return this.#clock.now();
  }
}

/** The calls of one turn, one at a time. Between them, while it writes to the database, others have its place. */
export class CallsOfTurn {
  readonly #places: Places;
  #hasPlace = true;

  constructor(places: Places) {
    this.#places = places;
  }

  /** @param notMade the answer if there is no place for it */
  async make<T>(call: () => Promise<T>, notMade: () => T): Promise<T> {
    if (!this.#hasPlace) this.#hasPlace = await this.#places.take();
    if (this.#places.breaks.areDue()) await this.#places.breaks.take();
    if (!this.#hasPlace || this.#places.isClosed) return notMade();
    const from = this.#places.now();
    try {
      return await call();
    } finally {
      const isQuick = this.#places.isQuick(this.#places.now() - from);
      if (this.#places.breaks.areDue()) await this.#places.breaks.take();
      if (isQuick) this.end();
    }
  }

  /** There are no more of them for now. */
  end(): void {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#places.pass();
  }
}

/**
 * The platform for one turn.
 * @param onWrite a call that changes campaigns has begun
 */
export function inPlaces(platform: AdPlatform, calls: CallsOfTurn, onWrite: () => void): AdPlatform {
  const failure: PlatformFailure = { ...tooMuchUnderWay(), askAgainMs: ASK_AGAIN_MS };
  const notAsked = () => ({ ok: false, failure, usage: null }) as const;
  return {
    aheadMs: () => platform.aheadMs(),
    listAdAccounts: (...given) => calls.make(() => platform.listAdAccounts(...given), notAsked),
    listCampaigns: (...given) => calls.make(() => platform.listCampaigns(...given), notAsked),
    readStatuses: (...given) => calls.make(() => platform.readStatuses(...given), notAsked),
    readStatusChanges: (...given) => calls.make(() => platform.readStatusChanges(...given), notAsked),
    setStatuses: (token, accountId, changes) =>
      calls.make(
        () => {
          onWrite();
          return platform.setStatuses(token, accountId, changes);
        },
        () => ({
          results: new Map(changes.map(({ campaignId }) => [campaignId, { ok: false, failure }])),
          usage: null,
        }),
      ),
  };
}
