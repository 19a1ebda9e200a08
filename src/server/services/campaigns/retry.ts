import { ApiError } from '#contract/errors.ts';
import { RESULT_TIMEOUT_MS } from '#core/reconciler/hold.ts';
import { inTransaction } from '../../db/database.ts';
import { findRetry, retryRefused } from '../../db/holds/writes.ts';
import type { User } from '../../db/users/users.ts';
import { wake } from '../../db/work-items.ts';
import type { ServiceDeps } from '../deps.ts';
import { PRECEDENCE_MS, findChangeable, requireReachable } from './manual-actions.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * The reconciler tries a write again that Meta has refused, without waiting for its time. Works without a
 * subscription, since a resume is owed. The list shows the result. `isRefused`, `isAccepted`: Meta's answer; neither: none
 * is known yet, or the change is no longer wanted.
 */
export async function retryCampaign(deps: ServiceDeps, user: User, campaignId: string) {
  const { accountId } = await findChangeable(deps, user, campaignId);
  await requireReachable(deps, user, accountId);
  const now = deps.clock.now();
  const isRetried = await inTransaction(deps.db, async (tx) => {
    await wake(tx, [accountId], PRECEDENCE_MS);
    return retryRefused(tx, { userId: user.id, accountId, campaignId }, now);
  });
  if (!isRetried) throw new ApiError('CAMPAIGN_BUSY');
  deps.wake();
  const isOver = async (): Promise<boolean> => (await findRetry(deps.db, campaignId, now)) !== 'due';
  await waitUntil(deps, isOver, { userId: user.id, timeoutMs: RESULT_TIMEOUT_MS });
  const result = await findRetry(deps.db, campaignId, now);
  return { isRefused: result === 'refused', isAccepted: result === 'accepted' };
}
