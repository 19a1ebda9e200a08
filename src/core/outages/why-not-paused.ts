import type { DeliveryTimes, SmartPauseSetting } from '../campaign.ts';
import { undelivered } from '../campaign.ts';
import type { FailureKind } from '../platform.ts';
import type { Instant } from '../time.ts';
import type { KnownLevel, Threshold } from '../smartpause/level.ts';
import { meetsThreshold } from '../smartpause/level.ts';
import type { NotPausedReason } from './reasons.ts';
import { DRY_RUN_LABELS, NOT_PAUSED_REASONS } from './reasons.ts';

const NOT_DELIVERED: readonly string[] = ['ended', 'scheduled', 'no_delivery'] satisfies NotPausedReason[];
const WAS_PAUSED: readonly string[] = [
  ...(['already_paused', 'paused_manually', 'paused_in_ads_manager'] as const),
  ...(['held_by_other_user', 'held_before', 'paused_all'] as const),
] satisfies NotPausedReason[];

/** Why the campaign could not spend in the outage; null: it kept spending, as far as known. */
export function atRest(reason: string): 'Already paused' | 'Not running' | null {
  if (WAS_PAUSED.includes(reason)) return 'Already paused';
  return NOT_DELIVERED.includes(reason) ? 'Not running' : null;
}

export const KEPT_SPENDING = NOT_PAUSED_REASONS.filter((reason) => atRest(reason) === null);

/** Of an outage as a whole; null: something was paused, or see each campaign. @param record what was stored for the user */
export function reasonOfOutage(
  record: { reason: NotPausedReason | null } | null,
  { wasSetUp, paused }: { wasSetUp: boolean; paused: number },
): NotPausedReason | null {
  if (record !== null) return record.reason;
  if (!wasSetUp) return 'not_set_up';
  return paused === 0 ? 'not_recorded' : null;
}

export interface UserFacts {
  isSetUp: boolean;
  isSubscribed: boolean;
  /** Meta accepts the user's token. */
  tokenUsable: boolean;
  threshold: Threshold;
}

/** What prevents pauses at this level for all of the user's campaigns; null: nothing does. */
export function reasonForAll(user: UserFacts, peak: KnownLevel): NotPausedReason | null {
  if (!user.isSetUp) return 'not_set_up';
  if (!meetsThreshold(peak, user.threshold)) return 'below_threshold';
  if (!user.isSubscribed) return 'no_subscription';
  return user.tokenUsable ? null : 'access_refused';
}

/** A campaign without a hold of this user, as known at the end of the outage. */
export interface CampaignFacts extends DeliveryTimes {
  status: string;
  isLegacyAdvantage: boolean;
  pausedManuallyAt: Instant | null;
  /** When a list first showed a status that was not set through SmartPause. */
  changedInAdsManagerAt: Instant | null;
  isHeldByOther: boolean;
  /** This user's pause of an earlier outage had not ended when the outage began. */
  isHeldBefore: boolean;
  /** This user's own word kept it paused in the outage. */
  isPausedAll: boolean;
  /** Meta refuses the ad account to this user. */
  isAccountRefused: boolean;
  /** Meta delivers nothing in the ad account. */
  isWithoutDelivery: boolean;
  /** Null: never chosen. */
  setting: { value: SmartPauseSetting; changedAt: Instant } | null;
}

/**
 * Why this campaign was not paused although the threshold was met. The first reason that applies counts.
 * Null: the outage is open, and a pause is due.
 * @param forAll what prevents further pauses of all campaigns; null: nothing does
 */
export function reasonFor(
  campaign: CampaignFacts,
  outage: { startedAt: Instant; endedAt: Instant | null },
  forAll: NotPausedReason | null,
  now: Instant,
): NotPausedReason | null {
  const { setting, pausedManuallyAt, changedInAdsManagerAt } = campaign;
  const end = outage.endedAt ?? Infinity;
  if (campaign.isLegacyAdvantage) return 'legacy_advantage';
  // A campaign that ended or started during the outage was delivered in a part of it.
  if (undelivered(campaign, outage.startedAt) === 'ended') return 'ended';
  if (undelivered(campaign, Math.min(end, now)) === 'scheduled') return 'scheduled';
  if (campaign.isHeldByOther) return 'held_by_other_user';
  if (campaign.isHeldBefore) return 'held_before';
  if (campaign.isPausedAll) return 'paused_all';
  const wasOffBefore = setting?.value !== 'ON' && (setting?.changedAt ?? 0) <= (pausedManuallyAt ?? 0);
  if (!wasOffBefore && pausedManuallyAt !== null && pausedManuallyAt >= outage.startedAt) {
    // Paused after the end: what it was during the outage is unknown.
    return pausedManuallyAt <= end ? 'paused_manually' : 'not_recorded';
  }
  const pausedAt =
    campaign.status === 'ACTIVE' ? null : Math.max(changedInAdsManagerAt ?? 0, pausedManuallyAt ?? 0);
  if (pausedAt !== null && pausedAt < outage.startedAt) return 'already_paused';
  if (campaign.isWithoutDelivery) return 'no_delivery';
  if (setting === null) return 'smartpause_off';
  if (setting.changedAt > end) return 'not_recorded';
  if (setting.value === 'OFF') return 'smartpause_off';
  if (setting.value === 'DEACTIVATED') return 'smartpause_deactivated';
  if (forAll !== null && forAll !== 'below_threshold') return forAll;
  if (undelivered(campaign, Math.min(end, now)) === 'ended') return 'ended';
  if (pausedAt !== null && pausedAt <= end) return 'paused_in_ads_manager';
  if (campaign.isAccountRefused) return 'no_access';
  return outage.endedAt === null ? null : 'not_in_time';
}

/** Meta's refusals in plain words. A hold with such a failure is an answer; with others its pause may still come. */
const REFUSAL_LABELS: Partial<Record<FailureKind, string>> = {
  permission: 'Meta denied access to the campaign',
  rejected: 'Meta rejected the change',
  blocked: DRY_RUN_LABELS.unconfirmed,
  gone: 'Meta no longer has the campaign',
  token_invalid: 'Meta refused access until you log in again',
  rate_limited: 'Meta’s rate limit for the ad account was used up',
  app_limited: 'SmartPause’s own limit at Meta was used up',
  app_blocked: 'Meta had suspended SmartPause’s own connection',
};

export const REFUSED_KINDS = Object.keys(REFUSAL_LABELS);

/** Meta refused the change itself, and not for a limit or a login. */
export const DENIED_KINDS: readonly FailureKind[] = ['permission', 'rejected', 'blocked', 'gone'];

/** Of a change that SmartPause did not send, by the code of its API error. */
export const UNSENT_WORDS: Record<string, string> = {
  TOKEN_EXPIRED: 'the Meta connection has expired',
  CAMPAIGN_BUSY: 'SmartPause didn’t get to it in time',
  SMARTPAUSE_ACTIVE: 'SmartPause is on for it',
};

export function refusalLabel(kind: FailureKind | null): string | null {
  return (kind === null ? null : REFUSAL_LABELS[kind]) ?? null;
}
