import type { ApiErrorCode } from '#contract/errors.ts';
import { DISRUPTION_WORDS } from '#core/labels.ts';
import type { CampaignWrite, Hold, Target, WishFailure } from '#core/reconciler/hold.ts';
import { isTest } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import { refusedChange } from '#core/smartpause/activity-text.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { EndReason } from '#core/smartpause/release-labels.ts';
import { RELEASE_LABELS, TEST_RELEASE_LABELS, withRefusal } from '#core/smartpause/release-labels.ts';
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

type HoldReport = Exclude<Report, 'restored' | 'not_restored' | 'manual_done' | object>;
type Text = [type: Activity['type'], event: string, message: string, reason: string];

export function isHoldReport(report: Report): report is HoldReport {
  return typeof report === 'string' && !['restored', 'not_restored', 'manual_done'].includes(report);
}

/** The activity of a report that is about a hold. */
export function holdActivity(report: HoldReport, hold: Hold, facts: ActivityFacts): HoldActivity {
  const [type, event, message, reason] = textOf(report, hold, facts);
  const about = aboutCampaign(facts, hold.userId);
  // With its hold an activity is unique, but a hold can be handed over more than once.
  return { ...about, type, event, message, reason, isOfHold: report !== 'taken_over' };
}

/** A test has own events, so that it is no pause or resume of an outage anywhere. */
function textOf(report: HoldReport, hold: Hold, { name, known, isLeaving }: ActivityFacts): Text {
  const { level, threshold } = hold;
  if (report === 'taken_over') {
    const [what, reason] = isTest(hold)
      ? ['a live test', 'live test']
      : ['the outage', 'the user that it was paused for no longer needs or reaches it'];
    const message = `"${name}" is paused for ${what}, and SmartPause resumes it for you.`;
    return ['pause', report, message, reason];
  }
  if (report === 'paused') {
    if (isTest(hold)) return ['pause', 'test_paused', `Test: paused "${name}".`, 'live test'];
    const did = hold.beganAsTest ? `Kept "${name}" paused after its test` : `Paused "${name}"`;
    const message = `${did}: ${DISRUPTION_WORDS[level]}, your threshold is ${threshold.toLowerCase()}.`;
    return ['pause', report, message, `${level} meets ${threshold}`];
  }
  if (report === 'resumed') {
    if (isTest(hold)) return ['resume', 'test_resumed', `Test: resumed "${name}".`, 'live test'];
    const [why, reason] = isLeaving
      ? ['you are leaving SmartPause', 'leaving']
      : [DISRUPTION_WORDS[known], `${known} is below ${threshold}`];
    return ['resume', report, `Resumed "${name}": ${why}.`, reason];
  }
  return endText(report, hold, name);
}

const DID: Partial<Record<EndReason, string>> = {
  pause_refused: 'could not pause',
  not_needed: 'did not pause',
  already_active: 'did not need to resume',
  resumed_outside: 'did not need to resume',
};

/** How a hold ended otherwise than by its resume. */
function endText(report: HoldReport, hold: Hold, name: string): Text {
  const reason = hold.releaseReason ?? 'not_needed';
  const label = (isTest(hold) ? TEST_RELEASE_LABELS : RELEASE_LABELS)[reason];
  const message = `${DID[reason] ?? 'did not resume'} "${name}": ${withRefusal(label, reason, hold.refusal)}.`;
  if (isTest(hold)) return ['other', 'test_released', `Test: ${message}`, reason];
  const event = report === 'not_needed' ? 'released' : report;
  return ['other', event, `${message.charAt(0).toUpperCase()}${message.slice(1)}`, reason];
}

/** For the user whose hold another user has taken over. */
export function handedOverActivity(userId: string, facts: ActivityFacts): Activity {
  const message = `"${facts.name}" stays paused for another user of the ad account, and SmartPause resumes it for them.`;
  return { ...aboutCampaign(facts, userId), type: 'other', event: 'handed_over', message };
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
    const did = act === 'pause' ? 'Paused' : 'Resumed';
    const message = `${did} "${facts.name}" again: Meta applied our earlier ${late} only after it was ${act}d manually.`;
    return { ...about, type: act, event: 'taken_back', message, reason: 'a lost write was carried out late' };
  }
  const why = refusal === null ? 'and it could not be undone' : `and refused to undo it: ${refusal}`;
  const message = `Could not ${act} "${facts.name}" again: Meta applied our earlier ${late} late ${why}.`;
  return { ...about, type: 'other', event: 'not_restored', message, reason: `${act}_refused` };
}

export function manualActivity({ requestedBy, target }: CampaignWrite, facts: ActivityFacts): Activity {
  const act = actOf(target);
  const about = { ...aboutCampaign(facts, requestedBy), actor: 'user' } as const;
  const message = `${facts.requesterName} ${act}d "${facts.name}".`;
  return { ...about, type: act, event: `manual_${act}`, message, reason: 'manual' };
}

/** For a user whose request was answered before the result was known. */
export function manualFailedActivity(
  given: { userId: string; target: Target; failure: ApiErrorCode; refusal: string | null },
  facts: ActivityFacts,
): Activity {
  const { userId, target, failure, refusal } = given;
  const why =
    refusal === null ? 'Meta did not confirm the change that you requested' : refusedChange(refusal);
  const message = `Could not ${actOf(target)} "${facts.name}": ${why}.`;
  return { ...aboutCampaign(facts, userId), type: 'other', event: 'manual_failed', message, reason: failure };
}

function aboutCampaign({ accountId, campaignId }: ActivityFacts, userId: string) {
  return { userId, actor: 'smartpause', accountId, campaignId } as const;
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
