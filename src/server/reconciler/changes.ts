import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import type { CampaignWrite } from '#core/reconciler/hold.ts';
import { RESULT_TIMEOUT_MS, isTest } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { Instant } from '#core/time.ts';
import type { StoredHold } from '../db/holds/holds.ts';
import type { StoredWrite } from '../db/holds/writes.ts';
import type { ActivityFacts } from './hold-activities.ts';
import {
  apiErrorOf,
  handedOverActivity,
  holdActivity,
  isHoldReport,
  manualActivity,
  manualFailedActivity,
  restoreActivity,
} from './hold-activities.ts';
import type { Work } from './pass.ts';
import type { Changes } from './store.ts';

/** What the core has decided about one campaign, with what the rows know besides. */
export interface Decided {
  campaignId: string;
  hold: StoredHold | null;
  write: StoredWrite | null;
  reports: readonly Report[];
}

/** The decision as it is stored before its write is sent. */
export function decidedBy(work: Work, change: CampaignChange, now: Instant): Decided {
  const { campaignId, send, reports } = change;
  const hold = change.hold === null ? null : asStored(work, campaignId, change.hold);
  const write = change.write === null ? null : withFailures(work, campaignId, change.write);
  if (hold !== null && send !== null && write?.origin !== 'manual') {
    if (send === 'PAUSED') hold.pauseSentAt ??= now;
    else hold.resumeSentAt ??= now;
  }
  return { campaignId, hold, write, reports };
}

function asStored(
  { account, claim }: Work,
  campaignId: string,
  hold: NonNullable<CampaignChange['hold']>,
): StoredHold {
  const stored = account.holds.get(campaignId);
  const fresh = {
    id: null,
    pauseSentAt: null,
    resumeSentAt: null,
    beganAsTest: false,
    refusal: null,
    lastError: null,
  };
  return { ...(stored ?? fresh), ...hold, accountId: claim.accountId, campaignId };
}

/** Failures are counted per write that was asked for. */
function withFailures({ account }: Work, campaignId: string, write: CampaignWrite): StoredWrite {
  const stored = account.writes.get(campaignId);
  const isSame = stored?.requestedAt === write.requestedAt && stored.target === write.target;
  const known = isSame ? stored : undefined;
  const { failures = 0, refusal = null, lastError = null } = known ?? {};
  return { ...write, failures, refusal, lastError };
}

/** Adds a decision to what is stored: hold, write, activities, and what follows from them. */
export function addDecided(changes: Changes, work: Work, decided: Decided, now: Instant): void {
  const { campaignId, hold, write, reports } = decided;
  const { accountId } = work.claim;
  if (hold !== null) changes.holds.push(hold);
  if (write !== null) changes.writes.push({ ...write, accountId, campaignId });
  const facts = factsOf(work, decided);
  for (const report of reports) {
    if (typeof report === 'object') addManualFailure(changes, work, { decided, report, facts, now });
    else if (isHoldReport(report)) {
      if (hold !== null) changes.activities.push(holdActivity(report, hold, facts));
      const before = work.account.holds.get(campaignId);
      if (report === 'taken_over' && before !== undefined && !isTest(before))
        changes.activities.push(handedOverActivity(before.userId, facts));
      if (report === 'deactivated' && hold !== null)
        changes.deactivated.push({ userId: hold.userId, campaignId, seenAt: seenAt(work, campaignId) });
    } else if (write !== null && report === 'manual_done') {
      const change = work.account.changes.get(campaignId);
      changes.activities.push(manualActivity(write, facts));
      if (change !== undefined) changes.manualEnds.push({ ...change, failure: null, refusal: null });
    } else if (write !== null && (report === 'restored' || report === 'not_restored'))
      changes.activities.push(restoreActivity(report, write, facts));
  }
}

function seenAt({ account, readAt }: Work, campaignId: string): Instant {
  return account.holds.get(campaignId)?.surprise?.since ?? readAt;
}

function factsOf(
  { account, claim, names, status }: Work,
  { campaignId, hold, write }: Decided,
): ActivityFacts {
  const userOf = (id: string | undefined) => account.users.find(({ user }) => user.id === id)?.user;
  return {
    accountId: claim.accountId,
    campaignId,
    name: names.get(campaignId) ?? campaignId,
    known: status.known,
    isLeaving: (userOf(hold?.userId)?.leaving ?? null) !== null,
    requesterName: userOf(write?.requestedBy)?.name ?? 'A user',
  };
}

function addManualFailure(
  changes: Changes,
  { account, tokens }: Work,
  given: {
    decided: Decided;
    report: Extract<Report, object>;
    facts: ActivityFacts;
    now: Instant;
  },
): void {
  const { decided, report, facts, now } = given;
  const change = account.changes.get(decided.campaignId);
  if (change === undefined) return;
  const isOwn = decided.write?.origin === 'manual' && decided.write.requestedAt === change.requestedAt;
  const { refusal = null, lastError = null } = (isOwn ? decided.write : null) ?? {};
  const hasToken = tokens.has(change.userId);
  const failure = apiErrorOf(report.manualFailed, { hasToken, lastError });
  changes.manualEnds.push({ ...change, failure, refusal });
  if (now < change.requestedAt + RESULT_TIMEOUT_MS) return;
  const { userId, status: target } = change;
  changes.activities.push(manualFailedActivity({ userId, target, failure, refusal }, facts));
}
