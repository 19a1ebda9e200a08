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
  /** From when on the log has it; Infinity: never. */
  loggedAt: number;
}

/** A copy of Meta's data: until then it shows what was true at that time. */
interface Replica {
  frozenAt: number;
  until: number;
}

/** A late write of ours, or a change of another tool. */
interface DueChange {
  at: number;
  to: Target;
  isOurs: boolean;
}

/** What becomes of one call. `lost_done`, `lost` and `late` are not answered. */
export type CallFate =
  'done' | 'lost_done' | 'lost' | 'late' | 'refused' | 'refused_for_now' | 'limited' | 'token' | 'blocked';

const MOST_FATES: readonly CallFate[] = [
  ...(['done', 'done', 'done', 'done'] as const),
  ...(['lost_done', 'lost_done', 'lost', 'late', 'late', 'limited'] as const),
];

const REPLICAS = 3;
/** No replica is further behind. */
const READ_LAG_MS = 90_000;

/**
 * Meta as far as one campaign sees it: reads that are stale, a log that lags or misses entries, lists with gaps,
 * writes that arrive late.
 */
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
  /** Until then it refuses them for a reason that passes. */
  refusesUntil = 0;
  /** Until then it refuses all writes of a user. */
  blocksUntil = 0;
  /** Until then the app's limit refuses every call. */
  limitedUntil = 0;
  /** Some replica was behind at some time. */
  wasBehind = false;
  /** The last read of the log did not show the newest change, which was external. */
  logLacksExternal = false;
  /** New entries of the log are late or missing. */
  isLogBehind = false;
  /** So many of the next lists lack the campaign. */
  gaps = 0;
  onChange: (change: Change) => void = () => undefined;
  readonly #random: Random;
  #first: Target;
  readonly #skewMs: number;
  #due: DueChange[] = [];
  #replicas: Replica[] = Array.from({ length: REPLICAS }, () => ({ frozenAt: 0, until: 0 }));

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

  /** Time passes, late writes arrive, and another tool changes the campaign. */
  advance(ms: number): void {
    const end = this.now + ms;
    this.#due.sort((a, b) => a.at - b.at);
    for (let next = this.#due[0]; next !== undefined && next.at <= end; next = this.#due[0]) {
      this.#due.shift();
      this.now = Math.max(this.now, next.at);
      if (this.gone === null && !this.isAway) this.#set(next.to, next.isOurs, next.isOurs);
    }
    this.now = end;
  }

  /** Another tool changes the campaign then. */
  plan(changes: readonly { at: number; to: Target }[]): void {
    for (const { at, to } of changes)
      if (at <= this.now) this.#first = to;
      else this.#due.push({ at, to, isOurs: false });
  }

  /** Some replicas fall behind, each on its own. */
  lag(): void {
    this.wasBehind = true;
    this.#replicas = this.#replicas.map((replica) => {
      if (!this.#random.chance(0.6)) return replica;
      const frozenAt = this.now - this.#random.whole(0, 5000);
      return { frozenAt, until: frozenAt + this.#random.whole(15_000, READ_LAG_MS) };
    });
  }

  /** All is well from now on. */
  recover(): void {
    Object.assign(this, { isWell: true, awayUntil: 0, isRefusing: false, refusesUntil: 0, limitedUntil: 0 });
    Object.assign(this, { gaps: 0, isLogBehind: false, blocksUntil: 0 });
    for (const replica of this.#replicas) replica.until = 0;
  }

  hasInFlight(to: Target): boolean {
    return this.#due.some((due) => due.isOurs && due.to === to);
  }

  changeOutside(to: Target): boolean {
    return this.gone === null && !this.isAway && this.#set(to, false, false);
  }

  /** Carries out a call. A certain answer says what a late copy cannot. */
  write(to: Target): CallFate {
    const fate = this.#fate();
    this.advance(this.#random.whole(0, 200));
    if (fate === 'done' || fate === 'lost_done') this.#set(to, true, false);
    if (fate === 'late') this.#due.push({ at: this.now + this.#random.whole(0, 60_000), to, isOurs: true });
    this.advance(
      fate === 'lost' || fate === 'late' || fate === 'lost_done' ? this.#random.pick([100, 3000]) : 100,
    );
    return fate;
  }

  #fate(): CallFate {
    if (this.gone !== null || this.isAway) return 'refused';
    if (this.isWell) return 'done';
    if (this.now < this.limitedUntil) return 'limited';
    if (this.now < this.blocksUntil) return 'blocked';
    if (this.now < this.refusesUntil) return 'refused_for_now';
    if (this.isRefusing) return this.#random.chance(0.7) ? 'refused' : 'lost';
    const rare = this.#random.whole(1, 100);
    return rare <= 2 ? 'token' : rare <= 3 ? 'blocked' : this.#random.pick(MOST_FATES);
  }

  /** Whether the next list has the campaign. */
  isListed(): boolean {
    if (this.gaps === 0) return true;
    this.gaps -= 1;
    return false;
  }

  /** A read shows what was true up to 10 s ago, of a replica that is behind up to 90 s ago. */
  read(): ActualStatus {
    if (this.gone !== null) return this.gone;
    if (this.isAway) return 'AWAY';
    if (this.isWell) return this.status;
    const { frozenAt, until } = this.#random.pick(this.#replicas);
    if (this.now < until) return this.#statusAt(frozenAt);
    return this.#random.chance(0.15) ? this.#statusAt(this.now - this.#random.whole(0, 10_000)) : this.status;
  }

  #statusAt(shownAt: number): Target {
    return this.changes.findLast(({ at }) => at <= shownAt)?.to ?? this.#first;
  }

  /** The log lacks an entry, although a read may show the change already. */
  get hidesChange(): boolean {
    return this.changes.some(({ at, loggedAt }) => at < this.now - 5000 && loggedAt > this.now);
  }

  /** Newest first, by our clock as far as it is known. The newest entries may be missing. */
  readLog(): ChangeLog {
    if (!this.isWell && this.#random.chance(this.isLogBehind ? 0.15 : 0.02)) return 'unreadable';
    const lagMs = !this.isWell && this.#random.chance(0.1) ? 5000 : 0;
    // The platform states whole seconds, and so does the header that the difference is measured by.
    const measured = Math.round((this.#skewMs + this.#random.whole(-900, 900)) / 1000) * 1000;
    const isShown = ({ at, loggedAt }: Change): boolean => at <= this.now - lagMs && loggedAt <= this.now;
    const newest = this.changes.at(-1);
    this.logLacksExternal = newest !== undefined && !newest.isOurs && !isShown(newest);
    const log = this.changes
      .filter(isShown)
      .map(({ at, isOurs, to }) => ({ at: Math.floor((at + this.#skewMs) / 1000) * 1000, isOurs, to }));
    return byOurClock(log.toReversed(), measured);
  }

  #logDelay(): number {
    if (this.isWell || !this.isLogBehind || this.#random.chance(0.3)) return 0;
    return this.#random.chance(0.3) ? Infinity : this.#random.whole(5000, 180_000);
  }

  #set(to: Target, isOurs: boolean, isLate: boolean): boolean {
    if (isOurs) this.carriedOut.push({ at: this.now, to });
    if (to === this.status) return false;
    const change = { at: this.now, isOurs, to, isLate, loggedAt: this.now + this.#logDelay() };
    this.changes.push(change);
    this.onChange(change);
    return true;
  }
}

/** What the product hears of a call. */
export function answerOf(fate: CallFate): Answer {
  if (fate === 'refused_for_now') return 'refused';
  if (fate === 'refused') return 'refused_for_good';
  if (fate === 'done') return fate;
  return fate === 'lost' || fate === 'late' || fate === 'lost_done' ? 'unanswered' : 'not_done';
}
