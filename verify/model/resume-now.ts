import type { AccountUser, AccountWorld } from '#core/reconciler/account.ts';
import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import type { Hold, ReleaseReason } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { HistoryState } from './state.ts';
import { changedAt } from './state.ts';

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
  /** When the resume was asked for that ended the last hold, or another tool's change had ended it. */
  #endedAt = -Infinity;
  readonly #history: HistoryState;
  readonly #report: (text: string) => void;

  constructor(history: HistoryState, report: (text: string) => void) {
    this.#history = history;
    this.#report = report;
  }

  onAsk(): void {
    this.askedAt ??= this.#history.now;
  }

  checkNewHold(matchSince: number, user: AccountUser): void {
    if (matchSince <= this.#endedAt && changedAt(user) < this.#endedAt)
      this.#report('a hold began in the match in which a user or another tool has resumed the campaign');
    this.askedAt = null;
  }

  /** Only a user who cannot resume it passes it on. */
  checkTransfer({ users }: AccountWorld, { before }: CampaignChange): void {
    const holder = users.find(({ id }) => id === before.hold?.userId);
    const isRefused = (before.write?.refusals ?? 0) > 0;
    const isBlocked = (holder?.writesBlockedUntil ?? 0) > this.#history.now;
    if (before.hold?.resumeAsked != null && holder?.hasAccess === true && !isBlocked && !isRefused)
      this.#report('a hold was handed over although a user has asked for its resume');
  }

  onEnd(hold: Hold, reports: readonly Report[]): void {
    const { releaseReason: reason } = hold;
    if (reason === 'resumed_by_schedule') this.#endedAt = this.#history.now;
    if (hold.resumeAsked === null) return;
    const isKept = reason !== null && NOT_RESUMED.includes(reason);
    if (!isKept) this.#endedAt = this.askedAt ?? this.#history.now;
    if (reports.includes('deactivated') && !isKept)
      this.#report('SmartPause was turned off although a user has resumed the campaign');
    if (!isKept && this.#history.platform.status === 'PAUSED' && !this.#mayHaveChanged())
      this.#report('a resume that a user has asked for ends with a paused campaign');
  }

  /** Someone, or a late copy, has paused it since, or it is gone. */
  #mayHaveChanged(): boolean {
    const { platform, write } = this.#history;
    const last = platform.changes.at(-1);
    if (platform.gone !== null) return true;
    return last?.isOurs === false || last?.isLate === true || write?.unansweredUntil != null;
  }

  /** All was well for an hour of the match. */
  checkDone(): void {
    const { hold, users } = this.#history;
    if (hold?.resumeAsked != null && users.some(({ hasAccess }) => hasAccess))
      this.#report('a resume that a user has asked for was not carried out');
  }
}
