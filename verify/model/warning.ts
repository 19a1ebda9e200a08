import type { Hold } from '#core/reconciler/hold.ts';
import type { WorldUser } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN } from './state.ts';

interface Period {
  since: number;
  until: number;
}

/** An early warning that pauses is a match of the users who want that, and its end one of a match. */
export class WarningRules {
  readonly #history: HistoryState;
  readonly #periods: Period[] = [];
  /** When each user let early warnings pause. */
  readonly #wanted = new Map<string, Period[]>();

  constructor(history: HistoryState) {
    this.#history = history;
  }

  onChoice({ id }: WorldUser, isWanted: boolean): void {
    const wanted = this.#wanted.get(id) ?? [];
    this.#wanted.set(id, wanted);
    if (isWanted) wanted.push({ since: this.#history.now, until: Infinity });
    else endLast(wanted, this.#history.now);
  }

  isWanted({ id }: WorldUser): boolean {
    return isOnAt(this.#wanted.get(id) ?? [], this.#history.now);
  }

  onBegin(): void {
    this.#periods.push({ since: this.#history.now, until: Infinity });
  }

  onEnd(): void {
    endLast(this.#periods, this.#history.now);
  }

  get isOn(): boolean {
    return isOnAt(this.#periods, this.#history.now);
  }

  isMatchOf(user: WorldUser): boolean {
    return isOnAt(this.#periodsOf(user), this.#history.now);
  }

  /** When warnings acted for the user, oldest first. */
  #periodsOf({ id }: WorldUser): Period[] {
    const wanted = this.#wanted.get(id) ?? [];
    return this.#periods.flatMap((warning) =>
      wanted
        .map((choice) => ({
          since: Math.max(warning.since, choice.since),
          until: Math.min(warning.until, choice.until),
        }))
        .filter(({ since, until }) => until > since),
    );
  }

  /** Since when the match lasts that began then beside it: warnings before it, without a break, belong to it. */
  begin(user: WorldUser, pageSince: number | null): number | null {
    const periods = this.#periodsOf(user);
    const onSince = this.isMatchOf(user) ? (periods.at(-1)?.since ?? null) : null;
    let begin = onSince === null ? pageSince : Math.min(onSince, pageSince ?? Infinity);
    for (const { since, until } of periods.toReversed())
      if (begin !== null && until >= begin) begin = Math.min(begin, since);
    return begin;
  }

  /** What the page reports is an outage, and no early warning any more. */
  checkConfirmed(hold: Hold | null, report: (text: string) => void): void {
    const { status, users } = this.#history;
    const user = users.find(({ id }) => id === hold?.userId);
    if (hold?.cause !== 'early_warning' || hold.state !== 'paused' || hold.resumeAsked !== null) return;
    const isHeld = user !== undefined && isOn(user, CAMPAIGN) && user.mayHold && !user.isLeaving;
    if (
      isHeld &&
      user.hasAccess &&
      user.leftAlone.size === 0 &&
      meetsThreshold(status.effective, user.threshold)
    )
      report('an outage on the page did not take over what an early warning had paused');
  }

  /** When the last one ended for the user; null: there was none, or it goes on. */
  endedAt(user: WorldUser): number | null {
    return this.isMatchOf(user) ? null : (this.#periodsOf(user).at(-1)?.until ?? null);
  }
}

function isOnAt(periods: readonly Period[], now: number): boolean {
  return (periods.at(-1)?.until ?? 0) > now;
}

function endLast(periods: readonly Period[], now: number): void {
  const last = periods.at(-1);
  if (last !== undefined) last.until = Math.min(last.until, now);
}
