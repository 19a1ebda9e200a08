import { effectiveSubscription, isProtected } from '#core/billing/subscription.ts';
import { NEW_CAMPAIGNS_MS } from '#core/list-age.ts';
import { findSubscriptionsOf } from '../../db/billing/subscriptions.ts';
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
  const due = await findListsToRead(deps.db, deps.clock.now() - NEW_CAMPAIGNS_MS);
  if (due.length === 0) return;
  const userIds = [...new Set(due.map(({ userId }) => userId))];
  const users = await findUsers(deps.db, userIds);
  const subscriptions = await findSubscriptionsOf(deps.db, userIds);
  for (const { userId, accountId } of due) {
    const user = users.get(userId);
    const own = subscriptions.get(userId) ?? { stripe: null, grant: null };
    const now = deps.clock.now();
    if (user === undefined || !isProtected(effectiveSubscription(own, now), now)) continue;
    // After a failure the account waits as long as after a success.
    await refreshCampaigns(deps, user, accountId, NEW_CAMPAIGNS_MS);
  }
}
