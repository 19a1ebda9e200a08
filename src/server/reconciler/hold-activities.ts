import type { ApiErrorCode } from '#contract/errors.ts';
import type { CampaignWrite, Hold, Target, WishFailure } from '#core/reconciler/hold.ts';
import { isTest } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import {
  handedOverText,
  manualFailedText,
  manualText,
  notNeededText,
  notRestoredText,
  pausedText,
  refusedText,
  releaseText,
  restoredText,
  resumedText,
  testKeptText,
  testNotNeededText,
  testReleaseText,
  testText,
  transferredText,
} from '#core/smartpause/activity-text.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
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
  /** Who asked for the write with a button. */
  requesterName: string;
}

/** Its hold gets an id when it is stored. */
export type HoldActivity = Activity & { isOfHold?: boolean };

type Text = Pick<Activity, 'type' | 'event' | 'message' | 'reason'>;

/** The activity of a report that is about a hold. */
export function holdActivity(report: HoldReport, hold: Hold, facts: ActivityFacts): HoldActivity {
  const { accountId, campaignId } = facts;
  const about = { userId: hold.userId, actor: 'smartpause', accountId, campaignId } as const;
  const text = isTest(hold) ? testTextOf(report, hold, facts) : outageTextOf(report, hold, facts);
  // With its hold an activity is unique, but a hold can be handed over more than once.
  return { ...about, ...text, isOfHold: report !== 'taken_over' };
}

const HOLD_REPORTS = [
  'paused',
  'resumed',
  'released',
  'deactivated',
  'refused',
  'not_needed',
  'taken_over',
] as const;
type HoldReport = (typeof HOLD_REPORTS)[number];

export function isHoldReport(report: Report): report is HoldReport {
  return HOLD_REPORTS.some((one) => one === report);
}

/** Own events, so that a test is no pause or resume of an outage anywhere. */
function testTextOf(report: HoldReport, hold: Hold, { name }: ActivityFacts): Text {
  if (report === 'taken_over') return takenOver(name, true);
  if (report === 'paused' || report === 'resumed') {
    const type = report === 'paused' ? 'pause' : 'resume';
    return { type, event: `test_${report}`, message: testText(name, report), reason: 'live test' };
  }
  const reason = hold.releaseReason;
  const message = reason === null ? testNotNeededText(name) : testReleaseText(name, reason, hold.refusal);
  return { type: 'other', event: 'test_released', message, reason: reason ?? 'not_needed' };
}

function outageTextOf(report: HoldReport, hold: Hold, { name, known, isLeaving }: ActivityFacts): Text {
  const { level, threshold } = hold;
  switch (report) {
    case 'paused': {
      const message = (hold.beganAsTest ? testKeptText : pausedText)(name, level, threshold);
      return { type: 'pause', event: 'paused', message, reason: `${level} meets ${threshold}` };
    }
    case 'resumed': {
      const reason = isLeaving ? 'leaving' : `${known} is below ${threshold}`;
      return { type: 'resume', event: 'resumed', message: resumedText(name, known, isLeaving), reason };
    }
    case 'taken_over':
      return takenOver(name, false);
    case 'not_needed':
      return { type: 'other', event: 'released', message: notNeededText(name), reason: 'not_needed' };
    case 'refused': {
      const reason = hold.releaseReason === 'resume_refused' ? 'resume_refused' : 'pause_refused';
      return { type: 'other', event: 'refused', message: refusedText(name, reason, hold.refusal), reason };
    }
    case 'released':
    case 'deactivated': {
      const reason = hold.releaseReason ?? 'smartpause_off';
      return { type: 'other', event: report, message: releaseText(name, reason), reason };
    }
  }
}

function takenOver(name: string, isOfTest: boolean): Text {
  const reason = isOfTest ? 'live test' : 'the user that it was paused for no longer needs or reaches it';
  return { type: 'pause', event: 'taken_over', message: transferredText(name, isOfTest), reason };
}

/** For the user whose hold another user has taken over. */
export function handedOverActivity(userId: string, { accountId, campaignId, name }: ActivityFacts): Activity {
  const about = { userId, actor: 'smartpause', type: 'other', accountId, campaignId } as const;
  return { ...about, event: 'handed_over', message: handedOverText(name) };
}

/** The activity of a report about a write without a hold: an external change that a late write of ours undid. */
export function restoreActivity(
  report: 'restored' | 'not_restored',
  write: CampaignWrite,
  { accountId, campaignId, name }: ActivityFacts,
): Activity {
  const about = { userId: write.requestedBy, actor: 'smartpause', accountId, campaignId } as const;
  const act = actOf(write.target);
  if (report === 'restored') {
    const reason = 'a lost write was carried out late';
    return { ...about, type: act, event: 'taken_back', message: restoredText(name, `${act}d`), reason };
  }
  const message = notRestoredText(name, act, write.refusal);
  return { ...about, type: 'other', event: 'not_restored', message, reason: `${act}_refused` };
}

export function manualActivity(write: CampaignWrite, facts: ActivityFacts): Activity {
  const act = actOf(write.target);
  const { accountId, campaignId, name, requesterName } = facts;
  const about = { userId: write.requestedBy, actor: 'user', accountId, campaignId } as const;
  const message = manualText(requesterName, name, `${act}d`);
  return { ...about, type: act, event: `manual_${act}`, message, reason: 'manual' };
}

/** For a user whose request was answered before the result was known. */
export function manualFailedActivity(
  given: { userId: string; target: Target; failure: ApiErrorCode; refusal: string | null },
  { accountId, campaignId, name }: ActivityFacts,
): Activity {
  const { userId, target, failure, refusal } = given;
  const about = { userId, actor: 'smartpause', type: 'other', accountId, campaignId } as const;
  const message = manualFailedText(name, actOf(target), refusal);
  return { ...about, event: 'manual_failed', message, reason: failure };
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
