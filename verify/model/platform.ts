import type { ChangeLog, StatusChange } from '#core/reconciler/change-log.ts';
import { byOurClock } from '#core/reconciler/change-log.ts';
import type { ActualStatus, Target } from '#core/reconciler/hold.ts';
import type { Answer } from '#core/reconciler/decide-campaign.ts';
import type { Random } from '../fixtures/random.ts';

/** A change of the campaign's status. */
export interface Change extends StatusChange {
  to: Target;
  /** Of our write: it arrived long after it was sent. */
  isLate: boolean;
}

interface LateWrite {
  at: number;
  to: Target;
}

/** What becomes of one call. Only `done`, `refused`, `limited`, `token` and `blocked` are answered. */
export type CallFate = 'done' | 'lost_done' | 'lost' | 'late' | 'refused' | 'limited' | 'token' | 'blocked';

const MOST_FATES: readonly CallFate[] = [
  ...(['done', 'done', 'done', 'done'] as const),
  ...(['lost_done', 'lost_done', 'lost', 'late', 'late', 'limited'] as const),
];

/** Meta as far as one campaign sees it: reads that are stale, a log that lags, writes that arrive late. */
export class Platform {
  now: number;
  readonly changes: Change[] = [];
  /** Every write of ours that was carried out, also one that changed nothing. */
  readonly carriedOut: { at: number; to: Target }[] = [];
  /** All is well from now on. */
  isWell = false;
  gone: 'ARCHIVED' | 'DELETED' | null = null;
  awayUntil = 0;
  /** Whether it refuses writes of the campaign for good. */
  isRefusing = false;
  onChange: (change: Change) => void = () => undefined;
  readonly #random: Random;
  readonly #first: Target;
  readonly #skewMs: number;
  #late: LateWrite[] = [];

  constructor(random: Random, now: number) {
    this.#random = random;
    this.now = now;
    this.#first = random.chance(0.9) ? 'ACTIVE' : 'PAUSED';
    this.#skewMs = random.whole(-12_000, 12_000);
  }

  get status(): Target {
    return this.changes.at(-1)?.to ?? this.#first;
  }

  get isAway(): boolean {
    return this.now < this.awayUntil;
  }

  /** Time passes, and late writes arrive. */
  advance(ms: number): void {
    const end = this.now + ms;
    this.#late.sort((a, b) => a.at - b.at);
    for (let next = this.#late[0]; next !== undefined && next.at <= end; next = this.#late[0]) {
      this.#late.shift();
      this.now = Math.max(this.now, next.at);
      if (this.gone === null && !this.isAway) this.#set(next.to, true, true);
    }
    this.now = end;
  }

  hasInFlight(to: Target): boolean {
    return this.#late.some((late) => late.to === to);
  }

  changeOutside(to: Target): boolean {
    return this.gone === null && !this.isAway && this.#set(to, false, false);
  }

  /** Carries out a call. A certain answer says what a late copy cannot. */
  write(to: Target): CallFate {
    const fate = this.#fate();
    this.advance(this.#random.whole(0, 200));
    if (fate === 'done' || fate === 'lost_done') this.#set(to, true, false);
    if (fate === 'late') this.#late.push({ at: this.now + this.#random.whole(0, 60_000), to });
    this.advance(
      fate === 'lost' || fate === 'late' || fate === 'lost_done' ? this.#random.pick([100, 3000]) : 100,
    );
    return fate;
  }

  #fate(): CallFate {
    if (this.gone !== null || this.isAway) return 'refused';
    if (this.isWell) return 'done';
    if (this.isRefusing) return this.#random.chance(0.7) ? 'refused' : 'lost';
    const rare = this.#random.whole(1, 100);
    return rare <= 2 ? 'token' : rare <= 3 ? 'blocked' : this.#random.pick(MOST_FATES);
  }

  /** A read shows what was true up to 10 s ago. */
  read(): ActualStatus {
    if (this.gone !== null) return this.gone;
    if (this.isAway) return 'AWAY';
    if (this.isWell || !this.#random.chance(0.15)) return this.status;
    const shownAt = this.now - this.#random.whole(0, 10_000);
    return this.changes.findLast(({ at }) => at <= shownAt)?.to ?? this.#first;
  }

  /** Newest first, by our clock as far as it is known. The newest entries may be missing. */
  readLog(): ChangeLog {
    if (!this.isWell && this.#random.chance(0.02)) return 'unreadable';
    const lagMs = !this.isWell && this.#random.chance(0.1) ? 5000 : 0;
    // The platform states whole seconds, and so does the header that the difference is measured by.
    const measured = Math.round((this.#skewMs + this.#random.whole(-900, 900)) / 1000) * 1000;
    const log = this.changes
      .filter(({ at }) => at <= this.now - lagMs)
      .map(({ at, isOurs, to }) => ({ at: Math.floor((at + this.#skewMs) / 1000) * 1000, isOurs, to }));
    return byOurClock(log.toReversed(), measured);
  }

  #set(to: Target, isOurs: boolean, isLate: boolean): boolean {
    if (isOurs) this.carriedOut.push({ at: this.now, to });
    if (to === this.status) return false;
    const change = { at: this.now, isOurs, to, isLate };
    this.changes.push(change);
    this.onChange(change);
    return true;
  }
}

/** What the product hears of a call. */
export function answerOf(fate: CallFate): Answer {
  if (fate === 'done' || fate === 'refused') return fate;
  return fate === 'lost' || fate === 'late' || fate === 'lost_done' ? 'unanswered' : 'not_done';
}
