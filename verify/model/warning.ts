import type { Hold } from '#core/reconciler/hold.ts';
import type { WorldUser } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN } from './state.ts';

/** An early warning that pauses is a match of the users who want that, and its end one of a match. */
export class WarningRules {
  readonly #history: HistoryState;
  readonly #periods: { since: number; until: number }[] = [];
  readonly #wanting = new Set<string>();

  constructor(history: HistoryState) {
    this.#history = history;
  }

  onChoice({ id }: WorldUser, isWanted: boolean): void {
    this.#wanting[isWanted ? 'add' : 'delete'](id);
  }

  isWanted({ id }: WorldUser): boolean {
    return this.#wanting.has(id);
  }

  onBegin(): void {
    this.#periods.push({ since: this.#history.now, until: Infinity });
  }

  onEnd(): void {
    const last = this.#periods.at(-1);
    if (last !== undefined) last.until = Math.min(last.until, this.#history.now);
  }

  get isOn(): boolean {
    return (this.#periods.at(-1)?.until ?? 0) > this.#history.now;
  }

  isMatchOf(user: WorldUser): boolean {
    return this.isOn && this.isWanted(user);
  }

  /** Since when the match lasts that began then beside it: warnings before it, without a break, belong to it. */
  begin(user: WorldUser, pageSince: number | null): number | null {
    if (!this.isWanted(user)) return pageSince;
    let begin = this.isOn ? Math.min(this.#periods.at(-1)?.since ?? 0, pageSince ?? Infinity) : pageSince;
    for (const { since, until } of this.#periods.toReversed())
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
    const last = this.#periods.at(-1);
    return last === undefined || this.isOn || !this.isWanted(user) ? null : last.until;
  }
}
