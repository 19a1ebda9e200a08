import { NEW_CAMPAIGNS_MS } from '#core/list-age.ts';
import { findProtected } from '../../db/billing/subscriptions.ts';
import { findListsToRead } from '../../db/new-campaigns.ts';
import { findUsers } from '../../db/users/users.ts';
import type { ServiceDeps } from '../deps.ts';
import { refreshCampaigns } from './campaign-lists.ts';

/**
 * Reads the campaign lists of users who want SmartPause on for new campaigns, also without an open page.
 * One list at a time, so that pages keep their share of the calls to Meta.
 */
export async function readListsForNewCampaigns(deps: ServiceDeps): Promise<void> {
  if (deps.isPlatformDown()) return;
  const now = deps.clock.now();
  const due = await findListsToRead(deps.db, now - NEW_CAMPAIGNS_MS);
  if (due.length === 0) return;
  const userIds = [...new Set(due.map(({ userId }) => userId))];
  const users = await findUsers(deps.db, userIds);
  const covered = await findProtected(deps.db, userIds, now);
  for (const { userId, accountId } of due) {
    const user = users.get(userId);
    if (user === undefined || !covered.has(userId)) continue;
    // After a failure the account waits as long as after a success.
    await refreshCampaigns(deps, user, accountId, NEW_CAMPAIGNS_MS);
  }
}
