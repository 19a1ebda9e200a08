import { NEW_CAMPAIGNS_MS } from '#core/list-age.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../observability/log.ts';

/** Why a list could not be read; null: it was. `APP_STOPPED` says nothing once Meta serves our app again. */
export type ReadFailure =
  'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE' | 'AD_ACCOUNT_NOT_FOUND' | 'APP_STOPPED' | null;

/** How long a request waits for newer data before it returns what is stored. */
const TIMEOUT_MS = seconds(5);
const FORGOTTEN_AFTER_MS = NEW_CAMPAIGNS_MS;

export interface ListRead {
  since: Instant;
  result: Promise<ReadFailure>;
  /** Null: it is under way. */
  endedAt: Instant | null;
  /** Of this read once it has ended, before that of the last one. */
  failure: ReadFailure;
}

/** The lists that pages read from Meta: one read of a list at a time, shared by all requests of this process. */
export class ListReads {
  readonly #clock: Clock;
  readonly #log: Log;
  /** In the order of their start. */
  readonly #reads = new Map<string, ListRead>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The read that is under way, or that ended within this time, else a new one. */
  begin(key: string, reuseMs: number, read: () => Promise<ReadFailure>): ListRead {
    const now = this.#clock.now();
    const last = this.#reads.get(key);
    if (last !== undefined && (last.endedAt === null || Math.abs(now - last.endedAt) < reuseMs)) return last;
    this.#forget(now);
    const begun: ListRead = { since: now, endedAt: null, failure: last?.failure ?? null, result: read() };
    void begun.result
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'a list could not be read');
        return 'PLATFORM_UNAVAILABLE' as const;
      })
      .then((failure) => Object.assign(begun, { failure, endedAt: this.#clock.now() }));
    this.#reads.delete(key);
    this.#reads.set(key, begun);
    return begun;
  }

  /** Waits until the read has ended or takes too long. */
  async soon(read: ListRead): Promise<ReadFailure> {
    const timeout = Promise.withResolvers<ReadFailure>();
    const waitMs = read.since + TIMEOUT_MS - this.#clock.now();
    const cancel = this.#clock.after(waitMs, () => timeout.resolve('PLATFORM_UNAVAILABLE'));
    return Promise.race([read.result, timeout.promise]).finally(cancel);
  }

  /** Why there is no newer list; null: nothing is known to be wrong. */
  failureOf({ endedAt, since, failure }: ListRead): ReadFailure {
    const isLate = endedAt === null && this.#clock.now() >= since + TIMEOUT_MS;
    return isLate ? 'PLATFORM_UNAVAILABLE' : failure;
  }

  /** Waits for those that are under way. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#reads.values()].map(({ result }) => result));
  }

  #forget(now: Instant): void {
    for (const [key, { endedAt }] of this.#reads) {
      if (endedAt === null || now - endedAt < FORGOTTEN_AFTER_MS) return;
      this.#reads.delete(key);
    }
  }
}
