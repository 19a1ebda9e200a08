import type { World, WorldUser } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import { holderOf } from '#core/reconciler/plan-account.ts';
import type { Status } from '#core/smartpause/status.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { delayMs } from '#core/settings.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN } from './state.ts';
import type { WarningRules } from './warning.ts';

/** 'Pause all now': the user's own word is a match of theirs, and its end resumes what it has paused. */
export class WordRules {
  readonly #history: HistoryState;
  readonly #report: (text: string) => void;
  readonly #warning: WarningRules;
  /** What each user said, and when it ends. */
  readonly #said = new Map<string, { since: number; until: number }[]>();

  constructor(history: HistoryState, warning: WarningRules, report: (text: string) => void) {
    this.#history = history;
    this.#warning = warning;
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

  /** The page meets the threshold, an early warning counts as that, or the user says so. */
  isMatched(status: Status, user: WorldUser): boolean {
    return this.#isMatchedBeside(status, user) || this.isSaid(user);
  }

  #isMatchedBeside({ known }: Status, user: WorldUser, threshold = user.threshold): boolean {
    return meetsThreshold(known, threshold) || this.#warning.isMatchOf(user);
  }

  checkBegin(status: Status, user: WorldUser): void {
    if (!this.isMatched(status, user)) this.#report('a hold began without a match');
    if (status.effective === 'UNKNOWN' && !this.isSaid(user) && !this.#warning.isMatchOf(user))
      this.#report('a hold began while the status was unknown');
  }

  /** Since when: the newer one of what the user says and of the match beside it. */
  matchSince(status: Status, user: WorldUser): number | null {
    const last = this.isSaid(user) ? this.#last(user.id) : null;
    const beside = this.#isMatchedBeside(status, user) ? this.#besideSince(status, user) : null;
    if (last !== null) return Math.max(last.since, beside ?? 0);
    return beside ?? this.#noMatchSince(status, user);
  }

  /** Of the page's match, with the early warnings that it followed without a break. */
  #besideSince({ known, matchSince }: Status, user: WorldUser): number | null {
    const { [user.threshold]: since } = matchSince;
    return this.#warning.begin(user, meetsThreshold(known, user.threshold) ? since : null);
  }

  #noMatchSince({ matchSince }: Status, user: WorldUser): number | null {
    const { [user.threshold]: since } = matchSince;
    return Math.max(since ?? 0, this.#warning.endedAt(user) ?? 0) || null;
  }

  /** A pause of the user's own word alone ends with it, however long their other resumes wait. */
  checkEnd(world: World): void {
    const { hold, now, page, schedule } = this.#history;
    const user = world.users.find(({ id }) => id === hold?.userId);
    if (hold === null || user === undefined || hold.cause !== 'user' || hold.resumeAsked !== null) return;
    if (schedule !== null || this.isSaid(user)) return;
    const endedAt = this.#warning.endedAt(user);
    const isWarned = this.#warning.isMatchOf(user) || (endedAt !== null && endedAt >= hold.decidedAt);
    const isHeldBeside = isWarned || page.wasKnownToMeet(hold.threshold, hold.decidedAt);
    if (!this.isOfWord(world, user, hold) && isHeldBeside) return;
    const { resumeAt } = holderOf(world, CAMPAIGN, hold, now);
    if (resumeAt === null || resumeAt > now)
      this.#report('a pause of the user’s own word waits after its end');
  }

  /** All was well for an hour in which users said so, or an early warning went on. */
  checkPaused(): void {
    const { users, platform, stopTime, now, write } = this.#history;
    const isWished = users.some(
      (user) =>
        (this.isSaid(user) || this.#warning.isMatchOf(user)) &&
        user.mayHold &&
        !user.isLeaving &&
        isOn(user, CAMPAIGN) &&
        !this.#isLeft(user),
    );
    const isAway = platform.gone !== null || (stopTime ?? Infinity) <= now || write?.origin === 'restore';
    if (isWished && !isAway && platform.status === 'ACTIVE' && platform.changes.at(-1)?.isOurs !== false)
      this.#report('runs although its user’s word, or an early warning, is to pause it');
  }

  #isLeft(user: WorldUser): boolean {
    const since = this.matchSince(this.#history.status, user) ?? 0;
    return (user.leftAlone.get(CAMPAIGN)?.since ?? -Infinity) >= since;
  }

  /** What the user has paused again with their word, after its resume in the page's match that lasts. */
  isOfWord({ status }: World, user: WorldUser | undefined, { cause }: Hold): boolean {
    const left = user?.leftAlone.get(CAMPAIGN);
    const since =
      user === undefined
        ? null
        : this.#isMatchedBeside(status, user)
          ? this.#besideSince(status, user)
          : this.#noMatchSince(status, user);
    if (cause !== 'user' || left === undefined || left.why === 'pause_refused') return false;
    return since !== null && left.since >= since;
  }

  checkResume(world: World, user: WorldUser | undefined, hold: Hold): void {
    if (this.isOfWord(world, user, hold)) return;
    if (this.#history.page.hasMetSince(hold.decidedAt, hold.threshold)) this.#report('resumed into a match');
    this.#checkDelay(user, hold);
  }

  /** What an early warning has paused waits by the user's rule, counted from its end. */
  #checkDelay(user: WorldUser | undefined, { cause }: Hold): void {
    if (user?.resume.mode !== 'delay' || cause !== 'early_warning') return;
    const endedAt = this.#warning.endedAt(user);
    if (endedAt !== null && this.#history.now < endedAt + delayMs(user.resume.delay))
      this.#report('resumed before its time after an early warning');
  }

  /** @returns whether the page, an early warning, or the user, keeps the campaign of the hold paused */
  isKept(world: World, user: WorldUser | undefined, hold: Hold): boolean {
    if (user !== undefined && this.isSaid(user)) return !this.#isLeft(user);
    const isMatched =
      user === undefined
        ? meetsThreshold(world.status.known, hold.threshold)
        : this.#isMatchedBeside(world.status, user, hold.threshold);
    return isMatched && !this.isOfWord(world, user, hold);
  }
}
