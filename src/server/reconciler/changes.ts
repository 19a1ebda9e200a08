import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import { RESULT_TIMEOUT_MS, isTest } from '#core/reconciler/hold.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { Instant } from '#core/time.ts';
import type { HoldRow } from '../db/holds/holds.ts';
import type { WriteRow } from '../db/holds/writes.ts';
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

/** What the core has decided about one campaign. */
export interface Decided {
  campaignId: string;
  hold: HoldRow | null;
  write: WriteRow | null;
  reports: readonly Report[];
}

/** The decision as it is stored before its write is sent. */
export function decidedBy({ claim: { accountId } }: Work, change: CampaignChange): Decided {
  const { campaignId, hold, write, reports } = change;
  const of = { accountId, campaignId };
  return { campaignId, hold: hold && { ...hold, ...of }, write: write && { ...write, ...of }, reports };
}

/** Adds a decision to what is stored: hold, write, activities, and what follows from them. */
export function addDecided(changes: Changes, work: Work, decided: Decided, now: Instant): void {
  const { campaignId, hold, write, reports } = decided;
  if (hold !== null) changes.holds.push(hold);
  if (write !== null) changes.writes.push(write);
  if (reports.length === 0) return;
  const facts = factsOf(work, decided);
  for (const report of reports) {
    if (typeof report === 'object') addManualFailure(changes, work, { decided, report, facts, now });
    else if (isHoldReport(report)) {
      if (hold !== null) changes.activities.push(holdActivity(report, hold, facts));
      const before = work.account.holds.get(campaignId);
      if (report === 'taken_over' && before !== undefined && !isTest(before))
        changes.activities.push(handedOverActivity(before.userId, facts));
      if (report === 'deactivated' && hold !== null)
        changes.deactivated.push({
          userId: hold.userId,
          campaignId,
          seenAt: hold.surprise?.since ?? work.readAt,
        });
    } else if (write !== null && report === 'manual_done') {
      const change = work.account.changes.get(campaignId);
      changes.activities.push(manualActivity(write, facts));
      if (change !== undefined) changes.manualEnds.push({ ...change, failure: null, refusal: null });
    } else if (write !== null && (report === 'restored' || report === 'not_restored'))
      changes.activities.push(restoreActivity(report, write, facts));
  }
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
