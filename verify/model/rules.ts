import type { World } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import type { Hold, ReleaseReason, Target } from '#core/reconciler/hold.ts';
import { READ_LAG_MS, RESUMED_FOR_ALL } from '#core/reconciler/hold.ts';
import type { AccountPlan, CampaignChange } from '#core/reconciler/plan-account.ts';
import type { Report } from '#core/reconciler/work.ts';
import { isOffAt, turnsOnAt } from '#core/smartpause/other-schedule.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN, changedAt, deactivate, isAbandoned, leaveAlone } from './state.ts';
import type { CallFate, Change } from './platform.ts';
import { answerOf } from './platform.ts';
import { MAY_STAY_PAUSED, ResumeNowRules } from './resume-now.ts';
import { RetryNowRules } from './retry-now.ts';
import { WarningRules } from './warning.ts';
import { WordRules } from './word.ts';

/** A stale read, or one of a replica that is behind, and a slow pass: what came shortly before may not be known. */
const UNSEEN_MS = 15_000;
const UNSEEN_BEHIND_MS = 105_000;
/** The log is read shortly before a write, and may lag. */
const UNREAD_MS = 10_000;

/** Knows from outside what people wanted, and reports what breaks a rule. */
export class Rules {
  readonly violations: string[] = [];
  readonly resumeNow: ResumeNowRules;
  readonly retryNow: RetryNowRules;
  readonly word: WordRules;
  readonly warning: WarningRules;
  readonly #history: HistoryState;
  /** What the campaign must be once everything is over; null: people or Meta left it open. */
  #intention: Target | null;
  /** The wish that has no outcome yet. */
  #wish: { status: Target; at: number; wasSent: boolean } | null = null;
  #wishesSince = new Map<Target, number>();
  /** Someone resumed the campaign during a confirmed pause: SmartPause must not pause it again. */
  #isTaken = false;
  #turnedOffAt = -Infinity;
  #refusals = new Map<Target, number>();
  /** Copies that may have been carried out. */
  #copies = new Map<Target, number>();
  #wasRefused = false;
  #wasRefusedForGood = false;
  /** Paused by the reconciler and unchanged since: a resume is owed. */
  #isOwed = false;
  /** The last hold ended with a reason for which its campaign may stay paused. */
  #mayStayPaused = false;
  #awayAt: number | null = null;
  #logWasUnreadable = false;

  constructor(history: HistoryState) {
    this.#history = history;
    this.#intention = history.platform.status;
    this.warning = new WarningRules(history);
    this.word = new WordRules(history, this.warning, this.#report);
    this.resumeNow = new ResumeNowRules(history, this.word, this.#report);
    this.retryNow = new RetryNowRules(history, this.#report);
  }

  readonly #report = (text: string): void => {
    this.violations.push(text);
    this.#history.say(`VIOLATION ${text}`);
  };

  get #unseenMs(): number {
    return this.#history.platform.wasBehind ? UNSEEN_BEHIND_MS : UNSEEN_MS;
  }

  get #now(): number {
    return this.#history.now;
  }

  /** The last look must come in time, and the account is left alone while its limit is used up. */
  checkPlan(world: World, { lookAt, changes }: AccountPlan): void {
    this.word.checkEnd(world);
    const until = this.#history.write?.unansweredUntil ?? null;
    const hasExpiredSince = until !== null && until > world.readAt;
    // A time that passed since the read began is for the next read.
    if (changes.length === 0 && lookAt !== null && lookAt <= world.readAt && !hasExpiredSince)
      this.#report('the account is read again and again');
    const canRead = world.users.some(({ hasAccess }) => hasAccess);
    const isLate = lookAt === null || lookAt > this.#now + 300_000;
    if (world.holds.size > 0 && canRead && isLate)
      this.#report('a hold is not looked at within five minutes');
    if (this.#history.platform.isAway) this.#awayAt ??= this.#now;
    else this.#awayAt = null;
  }

  /** What was decided is at rest: the same read decides nothing more. */
  checkRest({ changes }: AccountPlan): void {
    if (changes.some(({ send }) => send === null)) this.#report('a decision is not at rest');
  }

  checkChange(world: World, change: CampaignChange): void {
    const { hold, before, send, write } = change;
    if (before.hold === null && hold !== null) this.#checkNewHold(world, hold);
    if (before.hold !== null && hold !== null && hold.userId !== before.hold.userId) {
      this.resumeNow.checkTransfer(world, change);
      const heir = world.users.find(({ id }) => id === hold.userId);
      const mayHold = hold.resumeAsked?.by === heir?.id || (heir !== undefined && isOn(heir, CAMPAIGN));
      if (heir === undefined || !mayHold || !heir.hasAccess || heir.isLeaving)
        this.#report('a hold went to a user who cannot hold');
    }
    if (send === null || write === null) return;
    this.#copies.set(send, (this.#copies.get(send) ?? 0) + 1);
    if (this.#history.platform.hasInFlight(send === 'ACTIVE' ? 'PAUSED' : 'ACTIVE'))
      this.#report(`two directions in flight: ${send}`);
    if (
      before.write?.unansweredUntil != null &&
      before.write.target !== send &&
      write.unansweredUntil === null
    )
      this.#report('an unanswered write was forgotten');
    const sender = world.users.find(({ id }) => id === write.requestedBy);
    if (sender?.hasAccess !== true) this.#report('sent without access');
    if ((sender?.writesBlockedUntil ?? 0) > this.#now) this.#report('sent while blocked');
    if (write.origin === 'manual' && this.#wish !== null) {
      this.#wish.wasSent = true;
      if (this.#now > this.#wish.at + (this.#history.isOfMany ? 3_601_000 : 121_000))
        this.#report('a wish is carried out long after the click');
    }
    if (write.origin === 'hold' && send === 'ACTIVE' && hold !== null)
      this.#checkResume(world, hold, before.hold);
  }

  #checkNewHold({ status, users }: World, hold: Hold): void {
    this.#wishesSince.clear();
    this.#copies.clear();
    const user = users.find(({ id }) => id === hold.userId);
    if (user === undefined) return;
    if (!isOn(user, CAMPAIGN) || !user.hasAccess || !user.mayHold || user.isLeaving)
      this.#report('a hold began for a user who may not hold');
    this.word.checkBegin(status, user);
    this.resumeNow.checkNewHold(this.word.matchSince(status, user) ?? this.#now, user);
    if ((this.#history.stopTime ?? Infinity) < this.#now - 1000)
      this.#report('a hold began for an ended campaign');
    if (this.#isTaken && !this.#logWasUnreadable)
      this.#report('a hold began for a campaign that was resumed outside');
  }

  #checkResume(world: World, hold: Hold, before: Hold | null): void {
    const user = world.users.find(({ id }) => id === hold.userId);
    if (user?.isLeaving === true || hold.state === 'cancelling' || before === null) return;
    if (hold.resumeAsked !== null) return;
    if (this.word.isKept(world, user, hold) && before.state !== 'resuming')
      this.#report('resumed during the match');
    this.word.checkResume(world, user, hold);
    if ((this.#history.stopTime ?? Infinity) < this.#now - 1000)
      this.#report('an ended campaign was resumed');
    const { schedule } = this.#history;
    if (schedule !== null && isOffAt(schedule, this.#now) && hold.testUntil === null)
      this.#report('resumed while another tool has the campaign off');
  }

  onAnswer({ send, write }: CampaignChange, fate: CallFate): void {
    if (send === null || write === null) return;
    const answer = answerOf(fate);
    if (answer !== 'done' && answer !== 'unanswered')
      this.#copies.set(send, (this.#copies.get(send) ?? 0) - 1);
    if (answer === 'refused') this.#refusals.delete(send);
    if ((answer !== 'refused' && answer !== 'refused_for_good') || write.origin === 'manual') return;
    this.#wasRefused = true;
    if (answer === 'refused') return;
    this.#wasRefusedForGood = true;
    if (write.origin === 'restore') return;
    const tries = (this.#refusals.get(send) ?? 0) + 1;
    this.#refusals.set(send, tries);
    if (tries > 2) this.#report('a write that was refused for good was tried on');
  }

  onChange(change: Change): void {
    const { hold, write } = this.#history;
    this.#isOwed = change.isOurs && change.to === 'PAUSED' && this.#leavesPaused(change);
    if (change.isOurs) {
      this.#onOwnChange(change);
      return;
    }
    this.#intention = change.to;
    // Two people in the same minute, and no certain order: either may win.
    if (this.#wish !== null || (write?.origin === 'manual' && write.unansweredUntil !== null))
      this.#intention = null;
    const isSettled = hold?.state === 'paused' && hold.testUntil === null && write?.unansweredUntil === null;
    this.#isTaken = isSettled && change.to === 'ACTIVE';
  }

  /** A late copy that undid an external change is restored. A button is the user's choice. */
  #leavesPaused({ isLate }: Change): boolean {
    const { hold, write, platform } = this.#history;
    const isOverride = isLate && platform.changes.at(-2)?.isOurs === false;
    return (
      !isOverride &&
      !(hold === null && this.#mayStayPaused) &&
      write?.origin !== 'manual' &&
      write?.origin !== 'restore'
    );
  }

  #onOwnChange({ to, isLate }: Change): void {
    const { write, platform } = this.#history;
    const before = platform.changes.at(-2);
    if (write?.origin === 'manual') return;
    if (before === undefined || before.isOurs || isLate || write?.origin === 'restore') return;
    const isOld = this.#now - before.at > UNREAD_MS + 1000;
    if (to === 'ACTIVE' && isOld && this.#intention === 'PAUSED' && !this.#logWasUnreadable)
      this.#report('an external pause was overruled');
    if (to === 'PAUSED' && this.#isTaken && isOld && !this.#logWasUnreadable)
      this.#report('an external resume was overruled');
  }

  /** A list lacks the campaign, and it was not read by id. */
  onUnlisted(): void {
    if (this.#history.users.some((user) => isOn(user, CAMPAIGN)))
      this.#report('a campaign with SmartPause on was not looked at');
  }

  /** Without the log, or its entry, an external change cannot be told from a write of ours. */
  onUnreadableLog(): void {
    this.#logWasUnreadable = true;
  }

  onToggle(userId: string, setting: 'ON' | 'OFF'): void {
    const { hold } = this.#history;
    this.#isTaken = false;
    // Who asked for a resume, and holds the campaign since, may have had it off.
    if (setting === 'OFF' || hold?.userId === userId) this.#turnedOffAt = this.#now;
    if (setting === 'ON') return;
    // A known pause stays as it is.
    if (hold !== null && hold.userId === userId && hold.pausedAt !== null) this.#intention = null;
  }

  /** The user has chosen the campaign, whatever it was before. */
  onTest(): void {
    this.#isTaken = false;
  }

  onResumeNow(): void {
    this.#isTaken = false;
    this.#refusals.delete('ACTIVE');
    this.resumeNow.onAsk();
  }

  onWish(status: Target): void {
    const { write } = this.#history;
    this.#refusals.clear();
    // It replaces the restoring of an external change; its user learns whether it failed.
    if (write?.origin === 'restore' && write.state === 'open') this.#intention = null;
    this.#wish = { status, at: this.#now, wasSent: false };
    this.#wishesSince.set(status, this.#now);
  }

  onWishDropped = (): void => void (this.#wish = null);
  onStored(before: Hold | null, hold: Hold | null, reports: readonly Report[]): void {
    for (const report of reports) this.#onReport(report);
    this.warning.checkConfirmed(hold, this.#report);
    // After a new match the next resume is a new write.
    if (before?.state !== 'paused' && hold?.state === 'paused') this.#refusals.delete('ACTIVE');
    if (hold?.state !== 'ended' || before === null) return;
    this.resumeNow.onEnd(hold, reports);
    this.#onEnd(hold, reports);
  }

  #onReport(report: Report): void {
    if (report === 'not_restored') [this.#intention, this.#isOwed] = [null, false];
    if (report === 'paused') this.#refusals.delete('PAUSED');
    if (report === 'paused' && (this.#copies.get('PAUSED') ?? 0) === 0)
      this.#report('reported as paused, and every copy was refused');
    if (report === 'manual_done') {
      const wish = this.#wish;
      [this.#isOwed, this.#wish] = [false, null];
      if (wish === null) {
        this.#report('a manual change that was not asked for');
        return;
      }
      this.#intention = this.#afterOwn(wish.status, wish.at);
      this.#isTaken = false;
    }
    if (typeof report === 'string' || this.#wish === null) return;
    // Some copies of it may have been carried out.
    if (this.#wish.wasSent) this.#intention = null;
    [this.#isOwed, this.#wish] = [false, null];
  }

  /** What it must be after a user's own change; null: someone else may have changed it since. */
  #afterOwn(status: Target, askedAt: number): Target | null {
    const { changes } = this.#history.platform;
    const changedAt = changes.findLast(({ isOurs }) => !isOurs)?.at ?? -Infinity;
    return changedAt >= askedAt - this.#unseenMs ? null : status;
  }

  #onEnd(hold: Hold, reports: readonly Report[]): void {
    const { users } = this.#history;
    this.#mayStayPaused = false;
    const since = (hold.surprise?.since ?? this.#now) + 1;
    this.#refusals.clear();
    if (reports.includes('deactivated')) {
      for (const user of users)
        if (isOn(user, CAMPAIGN) && (user.id === hold.userId || changedAt(user) <= since))
          deactivate(user, this.#now);
    } else if (hold.releaseReason !== 'resumed_outside' || hold.testUntil !== null) this.#isTaken = false;
    if (hold.outcome === 'resumed' && !this.#wasResumed(hold))
      this.#report('reported as resumed, and it was not resumed');
    const { releaseReason } = hold;
    if (releaseReason === null) return;
    if (RESUMED_FOR_ALL.some((one) => one === releaseReason)) {
      const since = releaseReason === 'resumed_by_schedule' ? this.#now : this.resumeNow.validSince;
      const asBefore = users.filter((user) => since !== null && changedAt(user) < since);
      leaveAlone(asBefore, { since: since ?? this.#now, why: 'resumed_now' });
      const { askedAt } = this.resumeNow;
      if (askedAt !== null && this.#intention !== null) this.#intention = this.#afterOwn('ACTIVE', askedAt);
    }
    if (!this.#isTrue(releaseReason, hold)) {
      this.#report(`released as ${releaseReason}, which did not happen`);
      if (reports.includes('deactivated')) this.#report('SmartPause was turned off without a change outside');
    }
    const others = this.#history.platform.changes.filter(({ isOurs, at }) => !isOurs && at >= hold.readAt);
    const { schedule } = this.#history;
    if (
      releaseReason === 'resumed_outside' &&
      reports.includes('deactivated') &&
      !reports.includes('manual_done') &&
      schedule !== null &&
      others.length > 0 &&
      others.every(({ to, at }) => to === 'ACTIVE' && turnsOnAt(schedule, at))
    )
      this.#report('SmartPause was turned off by the schedule of another tool');
    this.#mayStayPaused =
      MAY_STAY_PAUSED.includes(releaseReason) ||
      (releaseReason === 'resume_refused' && this.#wasRefusedForGood) ||
      // The newest entry that the log shows is an external pause.
      (releaseReason === 'paused_outside' && this.#history.platform.hidesChange);
    if (this.#mayStayPaused) this.#isOwed = false;
    if (reports.includes('refused')) this.#markRefused(hold, releaseReason);
    if (['access_lost', 'archived', 'deleted', 'ended'].includes(releaseReason)) this.#intention = null;
  }

  #markRefused(hold: Hold, reason: ReleaseReason): void {
    if (reason === 'resume_refused') this.#intention = null;
    const own = this.#history.users.filter(({ id }) => id === hold.userId);
    leaveAlone(own, { since: this.#now, why: 'pause_refused' });
  }

  /** A write of ours without an answer cannot be told from an external resume. */
  #wasResumed({ readAt }: Hold): boolean {
    const { carriedOut, changes } = this.#history.platform;
    return [...carriedOut, ...changes].some(({ to, at }) => to === 'ACTIVE' && at >= readAt);
  }

  #isTrue(reason: ReleaseReason, hold: Hold): boolean {
    const { platform, stopTime } = this.#history;
    const since = hold.readAt - this.#unseenMs;
    const changedTo = (to: Target, lagMs = 0): boolean =>
      platform.changes.some((one) => !one.isOurs && one.to === to && one.at >= since - lagMs);
    const isWished = (status: Target): boolean => (this.#wishesSince.get(status) ?? -Infinity) >= since;
    switch (reason) {
      case 'smartpause_off':
        return this.#turnedOffAt >= since || isWished('ACTIVE');
      case 'manual_pause':
      case 'paused_by_other':
        return isWished('PAUSED');
      case 'paused_outside':
        // A test is asked for without a read. A log without its newest entries fits a read that was behind.
        return hold.testUntil !== null || changedTo('PAUSED', platform.hidesChange ? READ_LAG_MS : 0);
      case 'already_active':
      case 'resumed_outside':
      case 'resumed_by_schedule':
        return changedTo('ACTIVE') || isWished('ACTIVE');
      case 'resumed_now':
      case 'resumed_by_other':
        return this.resumeNow.askedAt !== null;
      case 'archived':
        return platform.gone === 'ARCHIVED';
      case 'deleted':
        return (
          platform.gone === 'DELETED' || (this.#awayAt !== null && this.#now >= this.#awayAt + 10_800_000)
        );
      case 'access_lost':
        return this.#history.users.some((user) => user.id === hold.userId && isAbandoned(user, this.#now));
      case 'ended':
        return stopTime !== null && stopTime <= this.#now;
      case 'pause_refused':
      case 'resume_refused':
        return this.#wasRefused;
    }
  }

  checkEnd(): void {
    const { hold, write, platform } = this.#history;
    if (hold !== null) this.#report(`a hold remains: ${hold.state}`);
    const isUnanswered = write?.unansweredUntil != null;
    if (write?.state === 'open' || isUnanswered || write?.wanted != null)
      this.#report('a write, its answer or a wish remains');
    if (this.#wish !== null) this.#report('the outcome of a wish is never reported');
    if (this.#isOwed && platform.status === 'PAUSED' && platform.gone === null)
      this.#report('stranded: paused by us, and no resume is owed');
    if (platform.gone !== null || this.#logWasUnreadable) return;
    if (this.#intention !== null && platform.status !== this.#intention)
      this.#report(`ends ${platform.status}, wanted ${this.#intention}`);
  }
}
