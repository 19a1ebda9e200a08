import { ApiError } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import { findListing } from '../../db/ad-accounts.ts';
import { findOwnCampaign } from '../../db/campaigns.ts';
import { isHeldNow } from '../../db/holds/holds.ts';
import { saveListAndTurnOn } from '../../new-campaigns.ts';
import type { User } from '../../db/users/users.ts';
import { wake } from '../../db/work-items.ts';
import type { ServiceDeps } from '../deps.ts';
import { beginRead, noteReadFailure } from './begin-read.ts';
import type { ReadFailure } from './list-reads.ts';

/** A campaign is not read again so soon for the same user. */
const REUSE_MS = seconds(10);

/**
 * Reads a held campaign from Meta now. Of another status than ours the reconciler finds the author, and live updates
 * report it. Without a hold, and while Meta's limits are nearly used up, nothing is read.
 */
export async function readHeldCampaign(deps: ServiceDeps, user: User, campaignId: string): Promise<void> {
  const { db, clock, platform } = deps;
  const campaign = await findOwnCampaign(db, user.id, campaignId);
  if (campaign === null) throw new ApiError('CAMPAIGN_NOT_FOUND');
  if (!(await isHeldNow(db, campaignId))) return;
  const { accountId } = campaign;
  const listing = await findListing(db, user.id, accountId);
  if (listing === null || listing.isBlocked || deps.app.isSparing()) return;
  const about = `${accountId} ${campaignId}`;
  const read = await beginRead(
    deps,
    user,
    { about, reuseMs: REUSE_MS },
    async (token): Promise<ReadFailure> => {
      const readAt = clock.now();
      const answer = await platform.readCampaigns(token, accountId, [campaignId]);
      if (!answer.ok) return noteReadFailure(deps, user, { failure: answer.failure, about: 'account' });
      const found = answer.value.get(campaignId);
      if (found === undefined) return null;
      const isListed = found !== 'AWAY' && (found.status === 'ACTIVE' || found.status === 'PAUSED');
      const list = { accountId, readAt, campaigns: [], found: isListed ? [found] : [], isPartial: true };
      // The reconciler looks twice before it believes that a campaign is gone.
      if (!isListed) await wake(db, [accountId]);
      if ((isListed && (await saveListAndTurnOn(db, list, clock.now()))) || !isListed) deps.wake();
      return null;
    },
  );
  if (read !== null) await deps.lists.soon(read);
}
