import { afterFailure } from '#core/after-failure.ts';
import { NO_FAILURE, mayBeTheToken, storedFailure, unreadable } from '#core/platform.ts';
import type { Answer } from '#core/reconciler/decide-campaign.ts';
import { afterAnswer } from '#core/reconciler/decide-campaign.ts';
import type { CampaignWrite, Target } from '#core/reconciler/hold.ts';
import { LATE_WRITE_MS, SEND_WITHIN_MS } from '#core/reconciler/hold.ts';
import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import { holderOf, isDoubtful } from '#core/reconciler/plan-account.ts';
import { acceptedWith, blockedUntil, refusedWith } from '#core/reconciler/refusals.ts';
import type { Instant } from '#core/time.ts';
import type { WriteRow } from '../db/holds/writes.ts';
import { suspectTokens } from '../db/users/tokens.ts';
import type { RequestContext } from '../observability/request-context.ts';
import { runInContext } from '../observability/request-context.ts';
import type { WriteResult } from '../platforms/platform.ts';
import { noteAccess, noteBlockedWrites } from './access.ts';
import { updateOf } from './campaign-update.ts';
import type { Pass, ReconcileDeps } from './pass.ts';
import { isOfMany, userOf, worldOf } from './pass.ts';

/** A change whose write is sent. All writes of a call are of one user. */
type Sent = CampaignChange & { write: CampaignWrite; send: Target };

/**
 * Stores the changes with the intents of their writes, then sends these in one call: the only place where
 * campaigns are changed on the platform. `outdated`: nothing was stored or sent.
 */
export async function applyWrites(
  deps: ReconcileDeps,
  pass: Pass,
  changes: readonly CampaignChange[],
): Promise<'outdated' | 'some_failed' | 'done'> {
  const now = deps.clock.now();
  const sent = changes.filter((change): change is Sent => change.send !== null && change.write !== null);
  const updates = changes.map((change) => updateOf(pass, change));
  const isStored = await deps.store.intend(pass.claim, {
    status: pass.status,
    decided: updates.filter((_, index) => changes[index]?.send === null),
    intent: updates.filter((_, index) => changes[index]?.send !== null),
  });
  if (!isStored) return 'outdated';
  for (const change of changes) keepRows(pass, change);
  const [first] = sent;
  if (first === undefined) return 'done';
  const { requestedBy: userId } = first.write;
  const answer = await runInContext(contextOf(pass, sent), () =>
    deps.platform.setStatuses(
      pass.tokens.get(userId) ?? '',
      pass.claim.accountId,
      sent.map(({ campaignId, send: status }) => ({ campaignId, status })),
      sendBy(sent, now),
    ),
  );
  pass.usage = answer.usage ?? pass.usage;
  const results = sent.map(({ campaignId }) => answer.results.get(campaignId) ?? NO_RESULT);
  noteResults(deps, pass, { sent, results });
  await noteUser(deps, pass, { userId, sent, results });
  return results.every(({ ok }) => ok) ? 'done' : 'some_failed';
}

/** As decided: storing the intent or earlier results may have taken long, and copies are followed from the decision on. */
function sendBy(sent: readonly Sent[], now: Instant): Instant {
  const until = Math.min(...sent.map(({ write }) => write.unansweredUntil ?? now));
  return until - LATE_WRITE_MS + SEND_WITHIN_MS;
}

/** For the log lines of the call. */
function contextOf({ stored, claim }: Pass, sent: readonly Sent[]): RequestContext {
  const changes = sent.flatMap(({ campaignId, write }) =>
    write.origin === 'manual' ? (stored.changes.get(campaignId) ?? []) : [],
  );
  const [first] = changes;
  if (first === undefined) return { request: `ad account ${claim.accountId}`, user: null };
  return { request: `manual change ${changes.map(({ id }) => id).join(', ')}`, user: first.userId };
}

/** The rows as the pass knows them; those of results may not be stored yet. */
function keepRows({ stored, claim }: Pass, { campaignId, hold, write }: CampaignChange): void {
  const of = { accountId: claim.accountId, campaignId };
  if (hold === null || hold.state === 'ended') stored.holds.delete(campaignId);
  else stored.holds.set(campaignId, { ...hold, ...of });
  if (write !== null) stored.writes.set(campaignId, { ...write, ...of });
}

const NO_RESULT: WriteResult = { ok: false, failure: unreadable('no result for a write', true) };

/** What the results make of the campaigns. They are stored with the next step of the pass. */
function noteResults(
  deps: ReconcileDeps,
  pass: Pass,
  { sent, results }: { sent: readonly Sent[]; results: readonly WriteResult[] },
): void {
  const now = deps.clock.now();
  const world = worldOf(pass, now);
  const isDenied = isAllDenied(pass, sent[0]?.write.requestedBy ?? '', results);
  const answered = sent.map((change, index) => {
    const { campaignId, hold, write, earlierUntil } = change;
    const result = results[index] ?? NO_RESULT;
    const next = afterResult(pass, { change, result, isDenied }, now);
    const holder = hold === null ? null : holderOf(world, campaignId, hold, now);
    const after = afterAnswer({ hold, write: { ...write, ...next.said }, earlierUntil }, next.answer, {
      now,
      holder,
      retryAt: next.retryAt,
    });
    const { refusal, failureKind, failureCode } = next.said;
    const said = { refusal, failureKind, failureCode };
    if (result.ok && write.target === 'PAUSED') reportPaused(deps, pass, { campaignId, hold: after.hold });
    const reports = [...change.reports, ...after.reports];
    const isRefusedAgain = next.answer === 'refused' && write.refusals > 0;
    const isAccepted = result.ok && isDoubtful(world, write);
    const about = { isRefusedAgain, isAccepted };
    return { ...change, ...after, hold: after.hold && { ...after.hold, ...said }, reports, ...about };
  });
  for (const change of answered) keepRows(pass, change);
  const accepted = answered.find(({ isAccepted }) => isAccepted)?.write ?? null;
  const refused = answered.find(({ isRefusedAgain }) => isRefusedAgain)?.write ?? null;
  if (accepted !== null) pass.accepted.add(accepted.requestedBy);
  const others = pass.stored.writes.values();
  const moved =
    accepted !== null
      ? acceptedWith(accepted, others, now)
      : refused === null
        ? []
        : refusedWith(refused, others, now);
  const concerned = [...answered, ...moved.map((write) => changeOf(pass, write))];
  pass.updates = concerned.map((change) => updateOf(pass, change));
}

/** Another write, whose next try follows from that of this call. */
function changeOf({ stored }: Pass, write: WriteRow): CampaignChange {
  const { campaignId } = write;
  const hold = stored.holds.get(campaignId) ?? null;
  const before = { hold, write: stored.writes.get(campaignId) ?? null };
  stored.writes.set(campaignId, write);
  const rest = { send: null, earlierUntil: null, needsLog: false, reports: [], lookAt: null };
  return { campaignId, before, hold, write, ...rest };
}

/** What the result says about the write, and about calls for the ad account. */
function afterResult(
  pass: Pass,
  { change, result, isDenied }: { change: Sent; result: WriteResult; isDenied: boolean },
  now: Instant,
) {
  const { write } = change;
  if (result.ok) {
    const said = { failures: 0, refusal: null, ...NO_FAILURE };
    return { answer: 'done' as const, retryAt: now, said };
  }
  const { failure } = result;
  const isRefused = isRefusal(pass, change, result, isDenied);
  const refusal = result.refusal ?? (isRefused ? failure.saidToUser : undefined);
  const isAwaited = write.origin === 'manual' && !isOfMany(pass.stored.changes.get(change.campaignId));
  const failures = failure.nextProbeInMs === undefined ? write.failures + 1 : write.failures;
  const after = afterFailure(failure, { failures, usage: pass.usage, now }, Math.random());
  if (after.blockedUntil !== null) pass.blockedUntil = Math.max(pass.blockedUntil ?? 0, after.blockedUntil);
  pass.lastFailure = storedFailure(failure);
  const words = refusal ?? (failure.kind === 'blocked' ? failure.saidToUser : write.refusal);
  const said = { failures, refusal: words, ...pass.lastFailure };
  return { answer: answerOf({ ...result, refusal }, isAwaited), retryAt: after.retryAt, said };
}

type Failed = Exclude<WriteResult, { ok: true }>;

/**
 * Denied to the user who has just read the campaign, a change is refused like any other. Unless all are: then the campaigns
 * that are to be resumed are out of the user's reach, and who pauses for another user may do it.
 */
function isRefusal(pass: Pass, { write, send }: Sent, { failure }: Failed, isDenied: boolean): boolean {
  const isOfCampaign = failure.kind === 'permission' || failure.kind === 'gone';
  return isOfCampaign && write.requestedBy === pass.readBy && !(isDenied && send === 'ACTIVE');
}

/** No write of the user is possible in the ad account. A leaving user cannot wait for access that may never return. */
function isAllDenied(pass: Pass, userId: string, results: readonly WriteResult[]): boolean {
  const isLeaving = (userOf(pass, userId)?.user.leaving ?? null) !== null;
  return results.every(
    (result) =>
      !result.ok && (result.failure.kind === 'permission' || (isLeaving && result.failure.kind === 'gone')),
  );
}

/** What a user waits for is not tried again after any certain failure. */
function answerOf(
  { failure, refusal, isFinal }: Pick<Failed, 'failure' | 'isFinal'> & { refusal: string | undefined },
  isAwaited: boolean,
): Answer {
  if (failure.maybeDone) return 'unanswered';
  if (isFinal === true) return 'refused_for_good';
  return refusal !== undefined || isAwaited ? 'refused' : 'not_done';
}

/** What the results say about the user whose token was used. */
async function noteUser(
  deps: ReconcileDeps,
  pass: Pass,
  given: { userId: string; sent: readonly Sent[]; results: readonly WriteResult[] },
): Promise<void> {
  const { userId, sent, results } = given;
  const user = userOf(pass, userId);
  const isAccepted = results.some(({ ok }) => ok);
  const failures = results.flatMap((result) => (result.ok ? [] : [result.failure]));
  if (!isAccepted && failures.some((failure) => mayBeTheToken(failure, 'campaign')))
    await suspectTokens(deps.db, [userId], deps.clock.now());
  const blocked = failures.find(({ kind }) => kind === 'blocked');
  if (blocked !== undefined) {
    const writes = sent.map(({ write }) => write);
    const until = blockedUntil(writes, blocked.retryAfterMs ?? 0, deps.clock.now());
    const campaignIds = sent.map(({ campaignId }) => campaignId);
    await noteBlockedWrites(deps, pass, { userId, until, refusal: blocked.saidToUser, campaignIds });
  } else if (isAccepted && user !== undefined && user.writesBlockedUntil !== null)
    await noteBlockedWrites(deps, pass, { userId, until: null, refusal: null, campaignIds: [] });
  if (!isAllDenied(pass, userId, results)) return;
  if (userId !== pass.readBy) {
    await noteAccess(deps, pass, { userId, access: 'lost' });
    return;
  }
  // Who has just read the account has not lost it, but another user may write instead for the rest of the pass.
  const retryAt = pass.stored.writes.get(sent[0]?.campaignId ?? '')?.retryAt;
  if (user !== undefined) user.writesBlockedUntil = retryAt ?? deps.clock.now();
  if (sent.some(({ send }) => send === 'ACTIVE')) await noteAccess(deps, pass, { userId, access: 'read' });
}

/** If settings changed since the match began, the delay says nothing about our speed. */
function reportPaused(
  { onPaused, clock }: ReconcileDeps,
  pass: Pass,
  { campaignId, hold }: Pick<CampaignChange, 'campaignId' | 'hold'>,
): void {
  if (hold === null || hold.beganAsTest || hold.cause !== 'status' || hold.state !== 'paused') return;
  const matchSince = pass.status.matchSince[hold.threshold];
  const onSince = userOf(pass, hold.userId)?.settings.get(campaignId)?.changedAt ?? Infinity;
  if (matchSince !== null && onSince <= matchSince) onPaused?.(clock.now() - matchSince);
}
