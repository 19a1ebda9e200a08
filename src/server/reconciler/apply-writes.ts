import type { Answer } from '#core/reconciler/decide-campaign.ts';
import { afterAnswer } from '#core/reconciler/decide-campaign.ts';
import type { Target } from '#core/reconciler/hold.ts';
import { LATE_WRITE_MS, SEND_WITHIN_MS } from '#core/reconciler/hold.ts';
import type { CampaignChange } from '#core/reconciler/plan-account.ts';
import { holderOf } from '#core/reconciler/plan-account.ts';
import type { AccountWorld } from '#core/reconciler/account.ts';
import { BATCH_MAX } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import type { RequestContext } from '../observability/request-context.ts';
import { runInContext } from '../observability/request-context.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import type { WriteResult, WriteResults } from '../platforms/meta/ads.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { describeFailure, mayBeTheToken } from '../platforms/meta/errors.ts';
import type { Decided } from './changes.ts';
import { addDecided, decidedBy } from './changes.ts';
import type { ReconcileDeps, Work } from './pass.ts';
import { worldOf } from './pass.ts';
import type { Changes } from './store.ts';
import { emptyChanges } from './store.ts';

/** Changes that are stored together. Its writes are sent in one call. */
export interface Batch {
  changes: readonly CampaignChange[];
  /** Whose token sends the writes; null: there is none. */
  userId: string | null;
  /** More writes are due. */
  hasMore: boolean;
}

/** As many writes of one user as fit, and all changes without a write. Those with a button go first, by themselves. */
export function firstBatch(changes: readonly CampaignChange[], allowed: number): Batch {
  const due = changes.filter(({ send }) => send !== null);
  const isManual = ({ write }: CampaignChange): boolean => write?.origin === 'manual';
  const manual = due.filter(isManual);
  const next = manual.length > 0 ? manual : due;
  const userId = next[0]?.write?.requestedBy ?? null;
  const sent = next
    .filter(({ write }) => write?.requestedBy === userId)
    .slice(0, Math.min(BATCH_MAX, allowed));
  const isSent = new Set(sent.map(({ campaignId }) => campaignId));
  return {
    changes: [...changes.filter(({ send }) => send === null), ...sent],
    userId: isSent.size > 0 ? userId : null,
    hasMore: due.length > isSent.size,
  };
}

/** A write whose intent is stored. */
interface Sent extends Decided {
  write: NonNullable<Decided['write']>;
  target: Target;
  earlierUntil: Instant | null;
}

export type Applied =
  | { isOutdated: true }
  | {
      isOutdated: false;
      /** With what was stored. */
      work: Work;
      /** The results of the call, not stored yet; null: no call was made. */
      results: Changes | null;
      /** No call for this ad account may be sent until then. */
      blockedUntil: Instant | null;
      lastError: string | null;
    };

/** Stores the intents, then sends the writes: the only place where campaigns are changed on the platform. */
export async function applyWrites(deps: ReconcileDeps, work: Work, batch: Batch): Promise<Applied> {
  const now = deps.clock.now();
  const { claim, status } = work;
  const [changes, intent] = [emptyChanges(), emptyChanges()];
  const sent: Sent[] = [];
  const decided = batch.changes.map((change) => {
    const after = decidedBy(work, change);
    addDecided(change.send === null ? changes : intent, work, after, now);
    if (change.send !== null && after.write !== null)
      sent.push({ ...after, write: after.write, target: change.send, earlierUntil: change.earlierUntil });
    return after;
  });
  const isStored = await deps.store.intend({
    ...{ ...claim, effective: status.effective, changes },
    intent: sent.length === 0 ? null : intent,
  });
  if (!isStored) return { isOutdated: true };
  const stored = withStored(work, decided);
  if (sent.length === 0)
    return { isOutdated: false, work: stored, results: null, blockedUntil: null, lastError: null };
  const answer = await runInContext(contextOf(work, sent), () =>
    deps.platform.setStatuses(
      work.tokens.get(batch.userId ?? '') ?? '',
      claim.accountId,
      sent.map(({ campaignId, target }) => ({ campaignId, status: target })),
      sendBy(sent, now),
    ),
  );
  return resultsOf(
    deps,
    { ...stored, usage: answer.usage ?? work.usage },
    { sent, intent, answer, userId: batch.userId ?? '' },
  );
}

/** As decided: storing the intent or earlier results may have taken long, and copies are followed from the decision on. */
function sendBy(sent: readonly Sent[], now: Instant): Instant {
  const until = Math.min(...sent.map(({ write }) => write.unansweredUntil ?? now));
  return until - LATE_WRITE_MS + SEND_WITHIN_MS;
}

/** For the log lines of the call. */
function contextOf({ account, claim }: Work, sent: readonly Sent[]): RequestContext {
  const changes = sent.flatMap(({ campaignId, write }) =>
    write.origin === 'manual' ? (account.changes.get(campaignId) ?? []) : [],
  );
  const [first] = changes;
  if (first === undefined) return { request: `ad account ${claim.accountId}`, user: null };
  return { request: `manual change ${changes.map(({ id }) => id).join(', ')}`, user: first.userId };
}

/** The rows as the pass has just stored them. */
function withStored(work: Work, decided: readonly Decided[]): Work {
  const holds = new Map(work.account.holds);
  const writes = new Map(work.account.writes);
  for (const { campaignId, hold, write } of decided) {
    if (hold === null || hold.state === 'ended') holds.delete(campaignId);
    else holds.set(campaignId, hold);
    if (write !== null) writes.set(campaignId, write);
  }
  return { ...work, account: { ...work.account, holds, writes } };
}

async function resultsOf(
  deps: ReconcileDeps,
  work: Work,
  {
    sent,
    intent,
    answer,
    userId,
  }: { sent: readonly Sent[]; intent: Changes; answer: WriteResults; userId: string },
): Promise<Applied> {
  const now = deps.clock.now();
  // The rows of the intent are replaced, and what it reports stays.
  const results: Changes = { ...intent, holds: [], writes: [] };
  let blockedUntil: Instant | null = null;
  let lastError: string | null = null;
  const world = worldOf(work, now);
  const all = sent.map((one) => answer.results.get(one.campaignId) ?? NO_RESULT);
  const after = sent.map((one, index): Decided => {
    const result = all[index] ?? NO_RESULT;
    const { decided, blocked } = afterResult(world, one, result, { usage: work.usage, now });
    blockedUntil = latest(blockedUntil, blocked);
    if (!result.ok) lastError = describeFailure(result.failure);
    else results.written.push({ campaignId: one.campaignId, status: one.target });
    if (result.ok) reportPaused(deps, work, decided, now);
    return decided;
  });
  for (const one of after) addDecided(results, work, one, now);
  noteUser(results, work, { userId, all, now });
  const isDenied = all.every((result) => !result.ok && isOutOfReach(result.failure, isLeaving(work, userId)));
  // A user who has just read the account has not lost it, but may not change it.
  const isLost = isDenied && userId !== work.readBy;
  if (isLost) await deps.store.noteAccess({ userId, accountId: work.claim.accountId }, true);
  const unreachable = new Map([...work.unreachable, ...(isLost ? [[userId, { isLost }] as const] : [])]);
  const stored = { ...withStored(work, after), unreachable };
  if (isDenied && !isLost) {
    stored.account = withBlocked(stored.account, userId, after[0]?.write?.retryAt ?? now);
    if (sent.some(({ target }) => target === 'ACTIVE'))
      stored.deniedResume = new Set([...work.deniedResume, userId]);
  }
  return { isOutdated: false, work: stored, results, blockedUntil, lastError };
}

/** A leaving user cannot wait for access that may never return. */
function isOutOfReach({ kind }: PlatformFailure, isForLeaving: boolean): boolean {
  return kind === 'permission' || (isForLeaving && kind === 'gone');
}

function isLeaving({ account }: Work, userId: string): boolean {
  return account.users.some(({ user }) => user.id === userId && user.leaving !== null);
}

/** For the rest of the pass, so that another user may write instead. */
function withBlocked(account: Work['account'], userId: string, until: Instant): Work['account'] {
  const users = account.users.map((one) =>
    one.user.id === userId ? { ...one, writesBlockedUntil: until } : one,
  );
  return { ...account, users };
}

const NO_RESULT: WriteResult = {
  ok: false,
  failure: {
    ...{ kind: 'transient', code: null, subcode: null, message: 'no result for a write', saidToUser: '' },
    ...{ maybeDone: true, retryAfterMs: null },
  },
};

function latest(a: Instant | null, b: Instant | null): Instant | null {
  return a === null ? b : Math.max(a, b ?? a);
}

function afterResult(
  world: AccountWorld,
  { campaignId, hold, write, earlierUntil }: Sent,
  result: WriteResult,
  { usage, now }: { usage: Usage | null; now: Instant },
): { decided: Decided; blocked: Instant | null } {
  const holder = hold === null ? null : holderOf(world, campaignId, hold, now);
  const isManual = write.origin === 'manual';
  const failures =
    result.ok || result.failure.nextProbeInMs !== undefined ? write.failures : write.failures + 1;
  const next = result.ok
    ? { retryAt: now, blockedUntil: null }
    : // A user waits for the result of a manual change.
      afterFailure(result.failure, { failures: isManual ? 1 : failures, usage, now });
  const after = afterAnswer({ hold, write, earlierUntil }, answerOf(result, isManual), {
    now,
    holder,
    retryAt: next.retryAt,
  });
  const said = result.ok
    ? { refusal: null, lastError: null }
    : { refusal: result.refusal ?? write.refusal, lastError: describeFailure(result.failure) };
  return {
    decided: {
      campaignId,
      hold: after.hold === null || hold === null ? null : { ...hold, ...after.hold, ...said },
      write:
        after.write === null
          ? null
          : { ...write, ...after.write, ...said, failures: result.ok ? 0 : failures },
      reports: after.reports,
    },
    blocked: next.blockedUntil,
  };
}

/** What a user has asked for with a button is not tried again after any certain failure. */
function answerOf(result: WriteResult, isManual: boolean): Answer {
  if (result.ok) return 'done';
  const { failure, refusal } = result;
  if (failure.maybeDone) return 'unanswered';
  return refusal !== undefined || isManual ? 'refused' : 'not_done';
}

/** What the results say about the user whose token was used. */
function noteUser(
  results: Changes,
  { account, claim: { accountId } }: Work,
  { userId, all, now }: { userId: string; all: readonly WriteResult[]; now: Instant },
): void {
  const isTokenGood = all.some(({ ok }) => ok);
  const failures = all.flatMap((result) => (result.ok ? [] : [result.failure]));
  if (!isTokenGood && failures.some((failure) => mayBeTheToken(failure, 'campaign')))
    results.suspectedTokens.push(userId);
  const blocked = failures.find(({ kind }) => kind === 'blocked');
  const wasBlocked = account.users.some((one) => one.user.id === userId && one.writesBlockedUntil !== null);
  if (blocked !== undefined)
    results.writesBlocked.push({ userId, accountId, until: now + (blocked.retryAfterMs ?? 0) });
  else if (isTokenGood && wasBlocked) results.writesBlocked.push({ userId, accountId, until: null });
}

/** If settings changed since the match began, the delay says nothing about our speed. */
function reportPaused(
  { onPaused }: ReconcileDeps,
  { account, status }: Work,
  { campaignId, hold, write }: Decided,
  now: Instant,
): void {
  if (hold === null || hold.beganAsTest || write?.target !== 'PAUSED' || hold.state !== 'paused') return;
  const matchSince = status.matchSince[hold.threshold];
  const owner = account.users.find(({ user }) => user.id === hold.userId);
  if (matchSince !== null && (owner?.settings.get(campaignId)?.changedAt ?? Infinity) <= matchSince)
    onPaused?.(now - matchSince);
}
