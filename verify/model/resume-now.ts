import type { WorldUser, World } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import type { Hold, ReleaseReason } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN, changedAt } from './state.ts';
import type { WordRules } from './word.ts';

/** A campaign may stay paused: a user chose that, it cannot be changed, or Meta refused the resume for good. */
export const MAY_STAY_PAUSED: readonly ReleaseReason[] = [
  ...(['smartpause_off', 'manual_pause', 'paused_by_other', 'access_lost'] as const),
  ...(['archived', 'deleted', 'ended', 'pause_refused'] as const),
];

/** Ends after which the campaign stays paused, or is gone, although its resume was asked for. */
const NOT_RESUMED: readonly ReleaseReason[] = [
  ...(['manual_pause', 'paused_by_other', 'paused_outside', 'resume_refused'] as const),
  ...(['archived', 'deleted', 'access_lost', 'ended'] as const),
];

/**
 * 'Resume now': the campaign runs, and SmartPause stays on. After it, and after another tool has turned the campaign on, no
 * user's hold begins again in the same match.
 */
export class ResumeNowRules {
  /** Of the live hold, or of the last one whose resume was asked for. */
  askedAt: number | null = null;
  /** Its user has turned SmartPause on or off since, perhaps while the write was sent. */
  #isTakenBack = false;
  /** When the resume was asked for that ended the last hold, or another tool's change had ended it. */
  #endedAt = -Infinity;
  readonly #history: HistoryState;
  readonly #word: WordRules;
  readonly #report: (text: string) => void;

  constructor(history: HistoryState, word: WordRules, report: (text: string) => void) {
    this.#history = history;
    this.#word = word;
    this.#report = report;
  }

  onAsk(): void {
    this.askedAt = this.validSince ?? this.#history.now;
    this.#isTakenBack = false;
  }

  onTakeBack(): void {
    this.#isTakenBack = true;
  }

  /** When the request was made that still counts. */
  get validSince(): number | null {
    return this.#isTakenBack ? null : this.askedAt;
  }

  checkNewHold(matchSince: number, user: WorldUser): void {
    if (this.#isLeftAlone(matchSince, user))
      this.#report('a hold began in the match in which a user or another tool has resumed the campaign');
    this.askedAt = null;
    this.#isTakenBack = false;
  }

  /** Only a user who cannot resume it passes it on, or to one whose match has no resume of the campaign. */
  checkTransfer({ users, status }: World, { before, hold }: CampaignChange): void {
    const holder = users.find(({ id }) => id === before.hold?.userId);
    const isRefused = (before.write?.refusals ?? 0) > 0;
    const isBlocked = (holder?.writesBlockedUntil ?? 0) > this.#history.now;
    const isAble = holder?.hasAccess === true && !isBlocked && !isRefused;
    if (before.hold?.resumeAsked != null) {
      if (isAble) this.#report('a hold was handed over although a user has asked for its resume');
      return;
    }
    const heir = users.find(({ id }) => id === hold?.userId);
    const matchSince = heir === undefined ? null : this.#word.matchSince(status, heir);
    if (heir === undefined || matchSince === null || !this.#isLeftAlone(matchSince, heir)) return;
    if (isAble || hold?.threshold !== before.hold?.threshold)
      this.#report('a hold went on for a match in which a user or another tool has resumed the campaign');
  }

  /** With SmartPause on, only what Meta has refused to SmartPause since the user turned it on. */
  checkManual({ users }: World, { before, send, write }: CampaignChange): void {
    if (before.write?.wanted == null || write?.origin !== 'manual' || send !== 'ACTIVE') return;
    const user = users.find(({ id }) => id === write.requestedBy);
    const { refused } = this.#history;
    if (user === undefined || !isOn(user, CAMPAIGN)) return;
    if (refused?.userId !== user.id || changedAt(user) > refused.at)
      this.#report('a manual resume was sent with SmartPause on');
  }

  /** No campaign is resumed for one user, such as one who leaves, in the match of another who wants it paused. */
  checkOthers({ users, status }: World, { before, hold }: CampaignChange): void {
    if (before.hold?.state !== 'paused' || hold?.state !== 'resuming' || hold.resumeAsked !== null) return;
    const { userId, testUntil } = hold;
    // A live test ends by the clock.
    if (testUntil !== null) return;
    const needsPause = (user: WorldUser) => {
      if (user.id === userId || !isOn(user, CAMPAIGN) || !this.#word.isMatched(status, user)) return false;
      const isAble = user.hasAccess && !user.isLeaving && (user.writesBlockedUntil ?? 0) <= this.#history.now;
      return user.mayHold && isAble && !this.#isLeftAlone(this.#word.matchSince(status, user) ?? 0, user);
    };
    if (users.some(needsPause)) this.#report('resumed in the match of another user');
  }

  #isLeftAlone(matchSince: number, user: WorldUser): boolean {
    return matchSince <= this.#endedAt && changedAt(user) < this.#endedAt;
  }

  onEnd(hold: Hold, reports: readonly Report[]): void {
    const { releaseReason: reason } = hold;
    if (reason === 'resumed_by_schedule') this.#endedAt = this.#history.now;
    if (hold.resumeAsked === null) return;
    const isKept = reason !== null && NOT_RESUMED.includes(reason);
    if (!isKept && this.validSince !== null) this.#endedAt = this.validSince;
    if (reports.includes('deactivated') && !isKept)
      this.#report('SmartPause was turned off although a user has resumed the campaign');
    if (!isKept && this.#history.platform.status === 'PAUSED' && !this.#mayHaveChanged())
      this.#report('a resume that a user has asked for ends with a paused campaign');
  }

  /** Someone, or a late copy, has paused it since, or it is gone. What a late copy undid is being restored. */
  #mayHaveChanged(): boolean {
    const { platform, write } = this.#history;
    const last = platform.changes.at(-1);
    if (platform.gone !== null || (write?.origin === 'restore' && write.state === 'open')) return true;
    return last?.isOurs === false || last?.isLate === true || write?.unansweredUntil != null;
  }

  /** All was well for an hour of the match. */
  checkDone(): void {
    const { hold, users } = this.#history;
    if (hold?.resumeAsked != null && users.some(({ hasAccess }) => hasAccess))
      this.#report('a resume that a user has asked for was not carried out');
  }
}
