import type { World, WorldUser } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import { holderOf } from '#core/reconciler/plan-account.ts';
import type { Status } from '#core/smartpause/status.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN } from './state.ts';

/** 'Pause all now': the user's own word is a match of theirs, and its end resumes what it has paused. */
export class WordRules {
  readonly #history: HistoryState;
  readonly #report: (text: string) => void;
  /** What each user said, and when it ends. */
  readonly #said = new Map<string, { since: number; until: number }[]>();

  constructor(history: HistoryState, report: (text: string) => void) {
    this.#history = history;
    this.#report = report;
  }

  onSay({ id }: WorldUser, until: number | null): void {
    const said = this.#said.get(id) ?? [];
    const last = this.#last(id);
    if (last !== null && last.until > this.#history.now) last.until = until ?? Infinity;
    else this.#said.set(id, [...said, { since: this.#history.now, until: until ?? Infinity }]);
  }

  onEnd({ id }: WorldUser): void {
    const last = this.#last(id);
    if (last !== null) last.until = Math.min(last.until, this.#history.now);
  }

  #last(id: string) {
    return this.#said.get(id)?.at(-1) ?? null;
  }

  isSaid({ id }: WorldUser): boolean {
    return (this.#last(id)?.until ?? 0) > this.#history.now;
  }

  /** The page meets the threshold, or the user says so. */
  isMatched({ known }: Status, user: WorldUser, threshold = user.threshold): boolean {
    return meetsThreshold(known, threshold) || this.isSaid(user);
  }

  checkBegin(status: Status, user: WorldUser): void {
    if (!this.isMatched(status, user)) this.#report('a hold began without a match');
    if (status.effective === 'UNKNOWN' && !this.isSaid(user))
      this.#report('a hold began while the status was unknown');
  }

  /** Since when; of a match of the page also what the user said right before it. */
  matchSince(status: Status, user: WorldUser): number | null {
    const last = this.#last(user.id);
    if (last !== null && this.isSaid(user)) return last.since;
    let begin = status.matchSince[user.threshold];
    for (const { since, until } of this.#said.get(user.id)?.toReversed() ?? [])
      if (begin !== null && since < begin && until >= begin) begin = since;
    return begin;
  }

  /** A pause of the user's own word alone ends with it, however long their other resumes wait. */
  checkEnd(world: World): void {
    const { hold, now, page, schedule } = this.#history;
    const user = world.users.find(({ id }) => id === hold?.userId);
    if (hold === null || user === undefined || hold.cause !== 'user' || hold.resumeAsked !== null) return;
    if (schedule !== null || this.isSaid(user) || page.hasMetAfter(hold.decidedAt, hold.threshold)) return;
    const { resumeAt } = holderOf(world, CAMPAIGN, hold, now);
    if (resumeAt === null || resumeAt > now)
      this.#report('a pause of the user’s own word waits after its end');
  }

  /** All was well for an hour in which users said so. */
  checkPaused(): void {
    const { users, platform, stopTime, now, write } = this.#history;
    const isWished = users.some(
      (user) =>
        this.isSaid(user) && user.mayHold && !user.isLeaving && isOn(user, CAMPAIGN) && !this.#isLeft(user),
    );
    const isAway = platform.gone !== null || (stopTime ?? Infinity) <= now || write?.origin === 'restore';
    if (isWished && !isAway && platform.status === 'ACTIVE' && platform.changes.at(-1)?.isOurs !== false)
      this.#report('runs although its user has said that all are to be paused');
  }

  #isLeft(user: WorldUser): boolean {
    return (user.leftAlone.get(CAMPAIGN)?.since ?? 0) >= (this.#last(user.id)?.since ?? 0);
  }

  /** @returns whether the page, or the user, keeps the campaign of the hold paused */
  isKept({ status }: World, user: WorldUser | undefined, { threshold }: Hold): boolean {
    if (meetsThreshold(status.known, threshold)) return true;
    return user !== undefined && this.isSaid(user) && !this.#isLeft(user);
  }
}
