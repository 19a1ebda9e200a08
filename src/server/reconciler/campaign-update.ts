import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import { isTest } from '#core/reconciler/hold.ts';
import { endingCause } from '#core/reconciler/world.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { ActivityFacts, HoldActivity } from './hold-activities.ts';
import {
  apiErrorOf,
  handedOverActivity,
  resumedByAsker,
  resumedForOther,
  holdActivity,
  isHoldReport,
  manualActivity,
  manualFailedActivity,
  restoreActivity,
} from './hold-activities.ts';
import type { Pass } from './pass.ts';
import { userOf } from './pass.ts';
import type { CampaignUpdate } from './store.ts';

/** What is stored of a decision: rows, activities, and what follows from them. */
export function updateOf(pass: Pass, change: CampaignChange): CampaignUpdate {
  const { campaignId, hold, write, reports } = change;
  const of = { accountId: pass.claim.accountId, campaignId };
  const isDeactivated = hold !== null && reports.includes('deactivated');
  const facts = reports.length === 0 ? null : factsOf(pass, change);
  const manualEnd = manualEndOf(pass, change);
  return {
    campaignId,
    hold: hold && { ...hold, ...of },
    write: write && { ...write, ...of },
    activities:
      facts === null ? [] : reports.flatMap((report) => activitiesOf(report, { change, facts, manualEnd })),
    changedSince: isDeactivated ? (hold.surprise?.since ?? pass.readAt) : null,
    manualEnd,
  };
}

function factsOf(pass: Pass, { campaignId, hold, write }: CampaignChange): ActivityFacts {
  const holder = userOf(pass, hold?.userId);
  const matched = holder && { ...holder, threshold: holder.user.threshold };
  return {
    accountId: pass.claim.accountId,
    campaignId,
    name: pass.names.get(campaignId) ?? pass.stored.names.get(campaignId) ?? campaignId,
    known: pass.status.known,
    endsWith: hold !== null && matched ? endingCause(pass, matched, { campaignId, hold }, pass.readAt) : null,
    isLeaving: (holder?.user.leaving ?? null) !== null,
    askerId: userOf(pass, hold?.resumeAsked?.by)?.user.id ?? null,
    requesterName: userOf(pass, write?.requestedBy)?.user.name ?? 'A user',
  };
}

/** The end of the pending change with a button. */
function manualEndOf({ stored, tokens }: Pass, { campaignId, write, reports }: CampaignChange) {
  const change = stored.changes.get(campaignId);
  if (change === undefined) return null;
  if (reports.includes('manual_done')) return { ...change, failure: null, refusal: null, failureKind: null };
  const failed = reports.find((report) => typeof report === 'object');
  if (failed === undefined) return null;
  const isOwn = write?.origin === 'manual' && write.requestedAt === change.requestedAt;
  const { refusal, failureKind } = isOwn ? write : { refusal: null, failureKind: null };
  const failure = apiErrorOf(failed.manualFailed, { hasToken: tokens.has(change.userId), failureKind });
  return { ...change, failure, refusal, failureKind };
}

function activitiesOf(
  report: Report,
  given: {
    change: CampaignChange;
    facts: ActivityFacts;
    manualEnd: ReturnType<typeof manualEndOf>;
  },
): HoldActivity[] {
  const { hold, write, before } = given.change;
  const { facts, manualEnd } = given;
  if (typeof report === 'object') {
    if (!manualEnd || manualEnd.failure === null) return [];
    const { userId, status: target, failure, refusal, failureKind } = manualEnd;
    return [manualFailedActivity({ userId, target, failure, refusal, failureKind }, facts)];
  }
  if (isHoldReport(report)) {
    const former =
      report === 'taken_over' && before.hold !== null && !isTest(before.hold) ? before.hold : null;
    if (report === 'taken_over' && hold !== null && hold.resumeAsked !== null)
      return former === null ? [] : [resumedByAsker(former.userId, facts)];
    return [
      ...(hold === null ? [] : [holdActivity(report, hold, facts)]),
      ...(former === null ? [] : [handedOverActivity(former.userId, facts)]),
      ...(hold?.releaseReason === 'resumed_by_other' ? resumedForOther(facts) : []),
    ];
  }
  if (write === null) return [];
  if (report === 'retry_failed') {
    const { requestedBy, target, failureKind } = write;
    // The try of 'Resume now' is due since it was asked for, that of 'Retry now' since that press.
    const isOfAsker = before.write?.retryAt === hold?.resumeAsked?.at;
    const userId = (isOfAsker ? facts.askerId : null) ?? requestedBy;
    // Meta's words are of this try, and of the user to whom it said them.
    const hasWords = failureKind === 'rejected' || failureKind === 'blocked';
    const refusal = hasWords && userId === requestedBy ? write.refusal : null;
    const failed = { userId, target, failure: 'CAMPAIGN_ACTION_FAILED', refusal, failureKind } as const;
    return [manualFailedActivity(failed, facts)];
  }
  return [report === 'manual_done' ? manualActivity(write, facts) : restoreActivity(report, write, facts)];
}
