import type { ChangeLog, StatusChange } from '#core/reconciler/change-log.ts';
import { byOurClock } from '#core/reconciler/change-log.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { logFailure } from './log-activities.ts';
import type { ReconcileDeps, Work } from './pass.ts';

/** Accuracy to which the platform's clock is known. */
const CLOCKS_MS = seconds(60);
/** After this many failures, the reconciler continues without the log, which may be unavailable for long. */
const MAX_LOG_FAILURES = 3;
const WORTH_WAITING: readonly PlatformFailure['kind'][] = ['transient', 'rate_limited', 'token_invalid'];

/** Asks once who changed the campaigns. `failure`: decisions that need the log wait for the next pass. */
export async function readChangeLog(
  deps: ReconcileDeps,
  work: Work,
): Promise<{ work: Work; failure: PlatformFailure | null }> {
  const { claim, readBy } = work;
  const token = work.tokens.get(readBy ?? '') ?? '';
  const aheadMs = deps.platform.aheadMs();
  const answer = await deps.platform.readStatusChanges(
    token,
    claim.accountId,
    sinceWhen(work) + aheadMs - CLOCKS_MS,
  );
  const read = { ...work, usage: answer.usage ?? work.usage };
  if (answer.ok) {
    const changes = Map.groupBy(answer.value, ({ campaignId }) => campaignId);
    const logOf = (id: string): StatusChange[] => byOurClock(changes.get(id) ?? [], aheadMs);
    return { work: { ...read, logOf }, failure: null };
  }
  const { failure } = answer;
  if (WORTH_WAITING.includes(failure.kind) && claim.failures < MAX_LOG_FAILURES) {
    logFailure(deps.log, claim.accountId, { failure, what: 'the activity log could not be read' });
    return { work: read, failure };
  }
  deps.log.info({ account: claim.accountId, failure: failure.kind }, 'reconciling without the activity log');
  return { work: { ...read, logOf: (): ChangeLog => 'unreadable' }, failure: null };
}

/** From the earliest hold or unsettled write on: more of them may be due when the log is read. */
function sinceWhen({ account, readAt }: Work): Instant {
  const unsettled = [...account.writes.values()].filter(({ state }) => state === 'open');
  return Math.min(
    readAt,
    ...[...account.holds.values()].map((hold) => hold.readAt),
    ...[...account.writes.values()].map(({ firstSentAt }) => firstSentAt ?? readAt),
    ...unsettled.map(({ requestedAt }) => requestedAt),
  );
}
