import type { ApiErrorCode } from '#contract/errors.ts';
import { DISRUPTION_WORDS } from '#core/labels.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import type { CampaignWrite, Hold, Target, WishFailure } from '#core/reconciler/hold.ts';
import { isTest } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import { CAMPAIGNS, RETRY_WORDS, refusedChange } from '#core/smartpause/activity-text.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { EndReason } from '#core/smartpause/release-labels.ts';
import {
  RELEASE_LABELS,
  TEST_RELEASE_LABELS,
  pausedOutside,
  resultOfEnd,
  resumedOutside,
  withRefusal,
} from '#core/smartpause/release-labels.ts';
import type { Activity } from '../db/activities.ts';

/** What is known when the reconciler reports about a campaign. */
export interface ActivityFacts {
  accountId: string;
  campaignId: string;
  /** Of the campaign. */
  name: string;
  known: KnownLevel;
  /** The owner of the hold leaves SmartPause. */
  isLeaving: boolean;
  /** Who has asked for the resume of the hold during the match; null: they did not, or have left. */
  askerId: string | null;
  /** Who asked for the write with a button. */
  requesterName: string;
}

/** Its hold gets an id when it is stored. */
export type HoldActivity = Activity & { isOfHold?: boolean };

type HoldReport = Exclude<Report, 'restored' | 'not_restored' | 'manual_done' | object>;
type Text = Required<Pick<Activity, 'type' | 'event' | 'message' | 'detail' | 'reason'>>;

export function isHoldReport(report: Report): report is HoldReport {
  return typeof report === 'string' && !['restored', 'not_restored', 'manual_done'].includes(report);
}

/** The activity of a report that is about a hold. */
export function holdActivity(report: HoldReport, hold: Hold, facts: ActivityFacts): HoldActivity {
  return { ...aboutCampaign(facts, hold.userId), ...textOf(report, hold, facts), isOfHold: true };
}

/** A test has own events, so that it is no pause or resume of an outage anywhere. */
function textOf(report: HoldReport, hold: Hold, { known, isLeaving }: ActivityFacts): Text {
  const { level, threshold, isOverride } = hold;
  if (report === 'taken_over') {
    const [kept, what, reason] = isTest(hold)
      ? ['Test: kept', 'a live test', 'live test']
      : ['Kept', 'the outage', 'the user that it was paused for no longer needs or reaches it'];
    const detail = `it is paused for ${what}, and SmartPause resumes it for you`;
    return { type: 'pause', event: report, message: `${kept} ${CAMPAIGNS} paused for you`, detail, reason };
  }
  if (report === 'paused') {
    if (isTest(hold))
      return { ...TESTED, type: 'pause', event: 'test_paused', message: `Test: paused ${CAMPAIGNS}` };
    const source = isOverride ? ', set by the SmartPause team' : '';
    const detail = `${DISRUPTION_WORDS[level]}${source}, your threshold is ${threshold.toLowerCase()}`;
    const message = hold.beganAsTest ? `Kept ${CAMPAIGNS} paused after its test` : `Paused ${CAMPAIGNS}`;
    return { type: 'pause', event: report, message, detail, reason: `${level} meets ${threshold}` };
  }
  if (report === 'resumed') {
    if (isTest(hold))
      return { ...TESTED, type: 'resume', event: 'test_resumed', message: `Test: resumed ${CAMPAIGNS}` };
    const [detail, reason] = isLeaving
      ? ['you are leaving SmartPause', 'leaving']
      : [DISRUPTION_WORDS[known], `${known} is below ${threshold}`];
    return { type: 'resume', event: report, message: `Resumed ${CAMPAIGNS}`, detail, reason };
  }
  if (report === 'retrying') return retryText(hold);
  return report === 'postponed' ? postponedText(hold) : endText(report, hold);
}

function retryText(hold: Hold): Text {
  const { state, refusal } = hold;
  const act = state === 'pausing' ? 'pause' : 'resume';
  const detail = `${refusal ?? 'without a reason'}. ${RETRY_WORDS}`;
  const message = `Meta refused to ${act} ${CAMPAIGNS}`;
  const text = { type: 'other', detail, reason: `${act}_refused` } as const;
  return isTest(hold)
    ? { ...text, event: 'test_retrying', message: `Test: ${message}` }
    : { ...text, event: 'retrying', message };
}

function postponedText({ postponedUntil }: Hold): Text {
  const at = postponedUntil === null ? '' : ` on ${fullTimeWithUtc(postponedUntil)}`;
  const detail = `another tool has it off at this time, as on other days; SmartPause resumes it${at} at the latest`;
  const message = `Kept ${CAMPAIGNS} paused`;
  return { type: 'other', event: 'postponed', message, detail, reason: 'other_schedule' };
}

const TESTED = { detail: null, reason: 'live test' };

const DID: Partial<Record<EndReason, string>> = {
  pause_refused: 'Could not pause',
  not_needed: 'Did not pause',
  resumed_now: 'Resumed',
};

/** How a hold ended otherwise than by its resume. */
function endText(report: HoldReport, hold: Hold): Text {
  const reason = hold.releaseReason ?? 'not_needed';
  const event = report === 'not_needed' ? 'released' : report;
  const outside = outsideText(report, hold);
  const did =
    isResumedNow(hold) && hold.pausedAt === null ? 'Did not pause' : (DID[reason] ?? 'Did not resume');
  const type = did === 'Resumed' ? 'resume' : 'other';
  const label = (isTest(hold) ? TEST_RELEASE_LABELS : RELEASE_LABELS)[reason];
  const { message, detail } = outside ?? {
    message: `${isTest(hold) ? did.toLowerCase() : did} ${CAMPAIGNS}`,
    detail: withRefusal(label, reason, hold.refusal),
  };
  const end = { type, reason, detail } as const;
  return isTest(hold)
    ? { ...end, event: 'test_released', message: `Test: ${message}` }
    : { ...end, event, message };
}

const AFTER_RESUME: Partial<Record<EndReason, string>> = {
  already_active: 'SmartPause did not need to',
  resumed_by_schedule: 'as on other days; SmartPause stays on for it',
  resumed_by_other: 'SmartPause stays on for it',
};

/** Someone else's change, as Meta's log names it; null: there was none. */
function outsideText(
  report: HoldReport,
  { outside, releaseReason, pausedAt }: Hold,
): Pick<Text, 'message' | 'detail'> | null {
  const on = outside === null ? '' : ` on ${fullTimeWithUtc(outside.at)}`;
  if (releaseReason === 'paused_outside')
    return { message: `Did not resume ${CAMPAIGNS}`, detail: pausedOutside(outside, on) };
  if (releaseReason === null || resultOfEnd(releaseReason) !== 'resumed_outside') return null;
  if (releaseReason === 'resumed_by_other' && pausedAt === null) return null;
  const isDisabled = report === 'deactivated';
  const detail = isDisabled ? 'SmartPause is now disabled for it' : (AFTER_RESUME[releaseReason] ?? null);
  return { message: `${resumedOutside(outside)}${on}`, detail };
}

function isResumedNow({ releaseReason }: Hold): boolean {
  return releaseReason === 'resumed_now' || releaseReason === 'resumed_by_other';
}

/** For a user who has resumed a campaign that was paused for another user. */
export function resumedForOther(facts: ActivityFacts): Activity[] {
  if (facts.askerId === null) return [];
  const text = { message: `Resumed ${CAMPAIGNS}`, detail: RELEASE_LABELS.resumed_now, reason: 'resumed_now' };
  const about = { ...aboutCampaign(facts, facts.askerId), actor: 'user' } as const;
  return [{ ...about, ...text, type: 'resume', event: 'manual_resume' }];
}

/** For the user whose hold has just passed to another one, only to be resumed as asked for. */
export function resumedByAsker(userId: string, facts: ActivityFacts): Activity {
  const message = `Another user of SmartPause resumes ${CAMPAIGNS}`;
  const text = { message, detail: AFTER_RESUME.resumed_by_other ?? null, reason: 'resumed_by_other' };
  return { ...aboutCampaign(facts, userId), ...text, type: 'other', event: 'released' };
}

/** For the user whose hold another user has taken over. */
export function handedOverActivity(userId: string, facts: ActivityFacts): Activity {
  const message = `Kept ${CAMPAIGNS} paused for another user of the ad account`;
  const text = { message, detail: 'SmartPause resumes it for them' };
  return { ...aboutCampaign(facts, userId), ...text, type: 'other', event: 'handed_over' };
}

/** The activity of a report about a write without a hold: an external change that a late write of ours undid. */
export function restoreActivity(
  report: 'restored' | 'not_restored',
  { requestedBy, target, refusal }: CampaignWrite,
  facts: ActivityFacts,
): Activity {
  const [act, late] = target === 'PAUSED' ? (['pause', 'resume'] as const) : (['resume', 'pause'] as const);
  const about = aboutCampaign(facts, requestedBy);
  if (report === 'restored') {
    const message = `${act === 'pause' ? 'Paused' : 'Resumed'} ${CAMPAIGNS} again`;
    const detail = `Meta applied our earlier ${late} only after it was ${act}d manually`;
    const reason = 'a lost write was carried out late';
    return { ...about, type: act, event: 'taken_back', message, detail, reason };
  }
  const why = refusal === null ? 'and it could not be undone' : `and refused to undo it: ${refusal}`;
  const detail = `Meta applied our earlier ${late} late ${why}`;
  const failed = { event: 'not_restored', message: `Could not ${act} ${CAMPAIGNS} again` };
  return { ...about, ...failed, type: 'other', detail, reason: `${act}_refused` };
}

export function manualActivity({ requestedBy, target }: CampaignWrite, facts: ActivityFacts): Activity {
  const act = actOf(target);
  const about = { ...aboutCampaign(facts, requestedBy), actor: 'user' } as const;
  const message = `${facts.requesterName} ${act}d ${CAMPAIGNS}`;
  return { ...about, type: act, event: `manual_${act}`, message, reason: 'manual' };
}

/** For a user whose request was answered before the result was known. */
export function manualFailedActivity(
  given: { userId: string; target: Target; failure: ApiErrorCode; refusal: string | null },
  facts: ActivityFacts,
): Activity {
  const { userId, target, failure, refusal } = given;
  const detail =
    refusal === null ? 'Meta did not confirm the change that you requested' : refusedChange(refusal);
  const failed = { event: 'manual_failed', message: `Could not ${actOf(target)} ${CAMPAIGNS}` };
  return { ...aboutCampaign(facts, userId), ...failed, type: 'other', detail, reason: failure };
}

function aboutCampaign({ accountId, campaignId, name }: ActivityFacts, userId: string) {
  return { userId, actor: 'smartpause', accountId, campaign: { id: campaignId, name } } as const;
}

function actOf(target: Target): 'pause' | 'resume' {
  return target === 'PAUSED' ? 'pause' : 'resume';
}

/** The API error of a manual pause or resume that was not carried out. */
export function apiErrorOf(
  failure: WishFailure,
  { hasToken, lastError }: { hasToken: boolean; lastError: string | null },
): ApiErrorCode {
  if (!hasToken || lastError?.startsWith('token_invalid') === true) return 'TOKEN_EXPIRED';
  if (failure === 'busy') return 'CAMPAIGN_BUSY';
  return failure === 'smartpause_active' ? 'SMARTPAUSE_ACTIVE' : 'CAMPAIGN_ACTION_FAILED';
}
