import { ApiError } from '#contract/errors.ts';
import { SUSPENDED, isSuspended } from '#core/app-state.ts';
import { durationLabel } from '#core/labels.ts';
import { refusedChange } from '#core/outages/activity-text.ts';
import { RESULT_TIMEOUT_MS } from '#core/reconciler/hold.ts';
import { minutes, seconds } from '#core/time.ts';
import { findListing } from '../../db/ad-accounts.ts';
import type { OwnCampaign } from '../../db/campaigns.ts';
import { findOwnCampaign } from '../../db/campaigns.ts';
import { inTransaction } from '../../db/database.ts';
import type { ManualEnd } from '../../db/holds/manual-changes.ts';
import { addManualChanges, findManualEnd } from '../../db/holds/manual-changes.ts';
import { ensureWorkItem, wake } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { findToken } from '../../db/users/tokens.ts';
import { requireChangeable, requireMayAct } from '../users/may-act.ts';
import type { ServiceDeps } from '../deps.ts';
import { waitUntil } from '../wait-until.ts';

/** Ahead of accounts that are due since less than this: a user waits. */
export const PRECEDENCE_MS = seconds(30);

const LIMITED = 'SmartPause’s own limit at Meta is reached. Please try again in a minute.';

/** `pending`: the reconciler carries it out as soon as it can. */
export interface ManualOutcome {
  status: 'ACTIVE' | 'PAUSED';
  pending?: true;
}

/** A manual pause releases any hold, and SmartPause will not resume the campaign. */
export async function pauseCampaign(
  deps: ServiceDeps,
  user: User,
  campaignId: string,
): Promise<ManualOutcome> {
  await requireMayAct(deps.db, user, deps.clock.now());
  return changeStatus(deps, user, await findChangeable(deps, user, campaignId), 'PAUSED');
}

/** Works without a subscription; refused while SmartPause is on. */
export async function resumeCampaign(
  deps: ServiceDeps,
  user: User,
  campaignId: string,
): Promise<ManualOutcome> {
  const campaign = await findChangeable(deps, user, campaignId);
  if (campaign.smartPauseSetting === 'ON') throw new ApiError('SMARTPAUSE_ACTIVE');
  return changeStatus(deps, user, campaign, 'ACTIVE');
}

export async function findChangeable(
  deps: ServiceDeps,
  user: User,
  campaignId: string,
): Promise<OwnCampaign> {
  const campaign = await findOwnCampaign(deps.db, user.id, campaignId);
  if (campaign === null) throw new ApiError('CAMPAIGN_NOT_FOUND');
  requireChangeable(campaign);
  return campaign;
}

/** Meta accepts the user's token and our app, answers, and its limit for the ad account is not used up. */
export async function requireReachable(deps: ServiceDeps, user: User, accountId: string): Promise<void> {
  if ((await findToken(deps.db, deps.cipher, user.id)) === null) throw new ApiError('TOKEN_EXPIRED');
  const appStop = deps.app.stopped();
  if (appStop !== null)
    throw new ApiError('PLATFORM_UNAVAILABLE', isSuspended(appStop) ? SUSPENDED : LIMITED);
  if (deps.isPlatformDown()) throw new ApiError('PLATFORM_UNAVAILABLE');
  const listing = await findListing(deps.db, user.id, accountId);
  if (listing?.isBlocked !== true) return;
  const waitMs = (listing.blockedUntil ?? 0) - deps.clock.now();
  const wait = durationLabel(Math.max(1, Math.ceil(waitMs / minutes(1))) * minutes(1));
  throw new ApiError(
    'CAMPAIGN_ACTION_FAILED',
    `Meta’s rate limit for this ad account is reached. Try again in ${wait}.`,
  );
}

/** Stores the wish for the reconciler, the only writer to Meta, and waits for its result. */
async function changeStatus(
  deps: ServiceDeps,
  user: User,
  campaign: OwnCampaign,
  status: 'ACTIVE' | 'PAUSED',
): Promise<ManualOutcome> {
  const { accountId } = campaign;
  await requireReachable(deps, user, accountId);
  const now = deps.clock.now();
  const id = await inTransaction(deps.db, async (tx) => {
    await ensureWorkItem(tx, accountId);
    const added = await addManualChanges(tx, { userId: user.id, status, campaigns: [campaign] }, now);
    if (added.size > 0) await wake(tx, [accountId], PRECEDENCE_MS);
    return added.get(campaign.id);
  });
  if (id === undefined) throw new ApiError('CAMPAIGN_BUSY');
  deps.wake();
  let outcome = null as ManualEnd | null;
  await waitUntil(deps, async () => (outcome = await findManualEnd(deps.db, id)) !== null, {
    userId: user.id,
    timeoutMs: RESULT_TIMEOUT_MS,
  });
  if (outcome === null) return { status, pending: true };
  const { failure, refusal } = outcome;
  if (failure === null) return { status };
  if (refusal !== null) throw new ApiError(failure, `${refusedChange(refusal)}.`);
  // It may have been the rate limit: that answer says when to try again.
  if (failure === 'CAMPAIGN_ACTION_FAILED') await requireReachable(deps, user, accountId);
  throw new ApiError(failure);
}
