import { ApiError } from '#contract/errors.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import { refusedChange } from '#core/smartpause/activity-text.ts';
import { RESULT_TIMEOUT_MS } from '#core/reconciler/hold.ts';
import { seconds } from '#core/time.ts';
import type { OwnCampaign } from '../../db/campaigns.ts';
import { findListing, findOwnCampaign, findWatched, saveSmartPause } from '../../db/campaigns.ts';
import { inTransaction } from '../../db/database.ts';
import type { ManualEnd } from '../../db/holds/manual-changes.ts';
import { addManualChange, findManualEnd } from '../../db/holds/manual-changes.ts';
import { recordActivities } from '../../db/activities.ts';
import { ensureWorkItem, wake } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { findToken } from '../../db/users/tokens.ts';
import { requireMayAct } from '../access.ts';
import { requireOwnAccount } from './ad-accounts.ts';
import { lookAgain } from './campaign-lists.ts';
import type { ServiceDeps } from '../deps.ts';
import { waitUntil } from './wait-until.ts';

/** Turning on needs everything that a hold needs. Turning off always works: the reconciler ends the hold. */
export async function setSmartPause(
  deps: ServiceDeps,
  user: User,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<SmartPauseSetting> {
  const now = deps.clock.now();
  if (given.enabled) await requireMayAct(deps.db, user, now);
  const campaign =
    (given.enabled ? null : await findWatched(deps.db, user.id, given)) ?? (await findIn(deps, user, given));
  const setting = given.enabled ? 'ON' : 'OFF';
  const { id: campaignId, accountId, name } = campaign;
  await inTransaction(deps.db, async (tx) => {
    await ensureWorkItem(tx, accountId);
    await saveSmartPause(tx, { userId: user.id, campaignId, accountId, setting }, now);
    const about = { userId: user.id, accountId, campaignId };
    if (setting !== campaign.smartPauseSetting) {
      const message = `SmartPause was turned ${setting === 'ON' ? 'on' : 'off'} for "${name}".`;
      const activity = { ...about, actor: 'user', type: 'setting', event: 'smartpause', message } as const;
      await recordActivities(tx, [{ ...activity, reason: setting }], now);
    }
    await wake(tx, [accountId]);
  });
  deps.wake();
  return setting;
}

/** Only in an ad account of the user, by the stored list or Meta's list. */
async function findIn(
  deps: ServiceDeps,
  user: User,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<OwnCampaign> {
  await requireOwnAccount(deps, user, given.accountId);
  let campaign = await findOwnCampaign(deps.db, user.id, given.campaignId);
  if (campaign === null) {
    await lookAgain(deps, user, given.accountId);
    campaign = await findOwnCampaign(deps.db, user.id, given.campaignId);
  }
  if (campaign?.accountId !== given.accountId) throw new ApiError('CAMPAIGN_NOT_FOUND');
  if (given.enabled) requireChangeable(campaign);
  return campaign;
}

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
  return changeStatus(deps, user, {
    campaign: await findChangeable(deps, user, campaignId),
    status: 'PAUSED',
  });
}

/** Works without a subscription; refused while SmartPause is on. */
export async function resumeCampaign(
  deps: ServiceDeps,
  user: User,
  campaignId: string,
): Promise<ManualOutcome> {
  const campaign = await findChangeable(deps, user, campaignId);
  if (campaign.smartPauseSetting === 'ON') throw new ApiError('SMARTPAUSE_ACTIVE');
  return changeStatus(deps, user, { campaign, status: 'ACTIVE' });
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

function requireChangeable({ isLegacyAdvantage, mayPause }: OwnCampaign): void {
  if (isLegacyAdvantage) throw new ApiError('LEGACY_CAMPAIGN');
  if (!mayPause) throw new ApiError('ROLE_CANNOT_PAUSE');
}

/** Ahead of accounts that are due since less than this: a user waits. */
export const PRECEDENCE_MS = seconds(30);

/** Meta accepts the user's token, answers, and its limit for the ad account is not used up. */
export async function requireReachable(deps: ServiceDeps, user: User, accountId: string): Promise<void> {
  if ((await findToken(deps.db, deps.cipher, user.id)) === null) throw new ApiError('TOKEN_EXPIRED');
  if (deps.isPlatformDown()) throw new ApiError('PLATFORM_UNAVAILABLE');
  const listing = await findListing(deps.db, user.id, accountId);
  if (listing?.isBlocked === true) {
    throw new ApiError(
      'CAMPAIGN_ACTION_FAILED',
      "Meta's limit for this ad account is used up. Try again in a few minutes.",
    );
  }
}

/** Stores the wish for the reconciler, the only writer to Meta, and waits for its result. */
async function changeStatus(
  deps: ServiceDeps,
  user: User,
  { campaign, status }: { campaign: OwnCampaign; status: 'ACTIVE' | 'PAUSED' },
): Promise<ManualOutcome> {
  const { id: campaignId, accountId } = campaign;
  await requireReachable(deps, user, accountId);
  const now = deps.clock.now();
  const id = await inTransaction(deps.db, async (tx) => {
    await ensureWorkItem(tx, accountId);
    const added = await addManualChange(tx, { userId: user.id, accountId, campaignId, status }, now);
    if (added !== null) await wake(tx, [accountId], PRECEDENCE_MS);
    return added;
  });
  if (id === null) throw new ApiError('CAMPAIGN_BUSY');
  deps.wake();
  let outcome: ManualEnd | null = null;
  await waitUntil(
    async () => (outcome = await findManualEnd(deps.db, id)) !== null,
    RESULT_TIMEOUT_MS,
    deps.clock,
  );
  return answerOf(outcome, status);
}

function answerOf(outcome: ManualEnd | null, status: 'ACTIVE' | 'PAUSED'): ManualOutcome {
  if (outcome === null) return { status, pending: true };
  const { failure, refusal } = outcome;
  if (failure !== null)
    throw refusal === null ? new ApiError(failure) : new ApiError(failure, `${refusedChange(refusal)}.`);
  return { status };
}
