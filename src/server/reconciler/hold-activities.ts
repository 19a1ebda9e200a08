import type { ApiErrorCode } from '#contract/errors.ts';
import type { ActivityEvent } from '#core/events.ts';
import type { FailureKind } from '#core/platform.ts';
import type { CampaignWrite, Hold, Target, WishFailure } from '#core/reconciler/hold.ts';
import { isTest } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Cause } from '#core/smartpause/signals.ts';
import type { PauseEnd } from '#core/outages/release-labels.ts';
import type { Activity } from '../db/activities.ts';

/** What is known when the reconciler reports about a campaign. */
export interface ActivityFacts {
  accountId: string;
  campaignId: string;
  /** Of the campaign. */
  name: string;
  known: KnownLevel;
  /** The end of this resumes it; null: that of an outage. */
  endsWith: Cause | null;
  /** The owner of the hold leaves SmartPause. */
  isLeaving: boolean;
  /** Who has asked for the resume of the hold during the match; null: they did not, or have left. */
  askerId: string | null;
  /** Who asked for the write with a button. */
  requesterName: string;
}

/** Its hold gets an id when it is stored. */
export type HoldActivity = Activity & { isOfHold?: boolean };

const OF_WRITE = ['restored', 'not_restored', 'manual_done', 'retry_failed'] as const;

type HoldReport = Exclude<Report, (typeof OF_WRITE)[number] | object>;

export function isHoldReport(report: Report): report is HoldReport {
  return typeof report === 'string' && !OF_WRITE.some((one) => one === report);
}

/** The activity of a report that is about a hold. */
export function holdActivity(report: HoldReport, hold: Hold, facts: ActivityFacts): HoldActivity {
  return { ...aboutCampaign(facts, hold.userId), ...eventOf(report, hold, facts), isOfHold: true };
}

function eventOf(
  report: HoldReport,
  hold: Hold,
  { known, isLeaving, endsWith }: ActivityFacts,
): ActivityEvent {
  const { level, threshold, isOverride, refusal, postponedUntil } = hold;
  const cause = hold.cause !== 'status' && { cause: hold.cause };
  switch (report) {
    case 'taken_over':
      return { event: report, facts: { isTest: isTest(hold), ...cause } };
    case 'paused':
      if (isTest(hold)) return { event: 'test_paused', facts: {} };
      return {
        event: report,
        facts: {
          level,
          threshold,
          isOverride,
          wasTest: hold.beganAsTest,
          ...(isKeptEarly(hold) && { wasEarly: true }),
          ...cause,
        },
      };
    case 'resumed':
      if (isTest(hold)) return { event: 'test_resumed', facts: {} };
      return {
        event: report,
        facts: { level: known, threshold, isLeaving, ...(endsWith !== null && { cause: endsWith }) },
      };
    case 'retrying': {
      const act = hold.state === 'pausing' ? 'pause' : 'resume';
      return { event: isTest(hold) ? 'test_retrying' : report, facts: { act, refusal } };
    }
    case 'postponed':
      return { event: report, facts: { until: postponedUntil } };
    case 'released':
    case 'refused':
    case 'deactivated':
    case 'not_needed': {
      const facts: PauseEnd = {
        reason: hold.releaseReason ?? 'not_needed',
        refusal,
        outside: hold.outside,
        wasPaused: hold.pausedAt !== null,
      };
      const event = report === 'not_needed' ? 'released' : report;
      return { event: isTest(hold) ? 'test_released' : event, facts };
    }
  }
}

/** An early warning had paused it before the outage was known. */
function isKeptEarly({ pausedAt, decidedAt, beganAsTest, cause }: Hold): boolean {
  return cause === 'status' && !beganAsTest && pausedAt !== null && pausedAt < decidedAt;
}

/** For a user who has resumed a campaign that was paused for another user. */
export function resumedForOther(facts: ActivityFacts): Activity[] {
  if (facts.askerId === null) return [];
  const about = { ...aboutCampaign(facts, facts.askerId), actor: 'user' } as const;
  return [{ ...about, event: 'manual_resume', facts: { name: null } }];
}

/** For the user whose hold has just passed to another one, only to be resumed as asked for. */
export function resumedByAsker(userId: string, facts: ActivityFacts): Activity {
  const end = { reason: 'resumed_by_other', refusal: null, outside: null, wasPaused: true } as const;
  return { ...aboutCampaign(facts, userId), event: 'released', facts: end };
}

/** For the user whose hold another user has taken over. */
export function handedOverActivity(userId: string, facts: ActivityFacts): Activity {
  return { ...aboutCampaign(facts, userId), event: 'handed_over', facts: {} };
}

/** The activity of a report about a write without a hold: an external change that a late write of ours undid. */
export function restoreActivity(
  report: 'restored' | 'not_restored',
  { requestedBy, target, refusal }: CampaignWrite,
  facts: ActivityFacts,
): Activity {
  const about = aboutCampaign(facts, requestedBy);
  const act = actOf(target);
  return report === 'restored'
    ? { ...about, event: 'taken_back', facts: { act } }
    : { ...about, event: report, facts: { act, refusal } };
}

export function manualActivity({ requestedBy, target }: CampaignWrite, facts: ActivityFacts): Activity {
  const about = { ...aboutCampaign(facts, requestedBy), actor: 'user' } as const;
  return { ...about, event: `manual_${actOf(target)}`, facts: { name: facts.requesterName } };
}

interface ManualFailed extends Pick<CampaignWrite, 'target' | 'refusal' | 'failureKind'> {
  userId: string;
  failure: ApiErrorCode;
}

/** What a user asked for with a button, and was not done. */
export function manualFailedActivity(
  { userId, target, failure: code, ...why }: ManualFailed,
  facts: ActivityFacts,
): Activity {
  return {
    ...{ ...aboutCampaign(facts, userId), actor: 'user' },
    event: 'manual_failed',
    facts: { ...why, act: actOf(target), code },
  };
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
  { hasToken, failureKind }: { hasToken: boolean; failureKind: FailureKind | null },
): ApiErrorCode {
  if (!hasToken || failureKind === 'token_invalid') return 'TOKEN_EXPIRED';
  if (failure === 'busy') return 'CAMPAIGN_BUSY';
  return failure === 'smartpause_active' ? 'SMARTPAUSE_ACTIVE' : 'CAMPAIGN_ACTION_FAILED';
}
