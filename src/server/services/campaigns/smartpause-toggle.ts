import { ApiError } from '#contract/errors.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { Instant } from '#core/time.ts';
import type { OwnCampaign, Watched } from '../../db/campaigns.ts';
import type { Db } from '../../db/database.ts';
import { findOwnCampaign, findWatched, saveSmartPause } from '../../db/campaigns.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { dropAskedResumes } from '../../db/holds/campaign-changes.ts';
import { makeSchedulesDue } from '../../db/other-schedules.ts';
import { ensureWorkItem, wake } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { requireChangeable, requireMayAct } from '../users/may-act.ts';
import { requireListing } from './ad-accounts.ts';
import { readNow } from './campaign-lists.ts';
import type { ServiceDeps } from '../deps.ts';

/** Turning on needs everything that a hold needs. Turning off always works: the reconciler ends the hold. */
export async function setSmartPause(
  deps: ServiceDeps,
  user: User,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<SmartPauseSetting> {
  const now = deps.clock.now();
  if (given.enabled) await requireMayAct(deps.db, user, now);
  const watched = given.enabled ? [] : await findWatched(deps.db, user.id, [given.campaignId]);
  const isHere = ({ accountId }: Watched): boolean => accountId === given.accountId;
  const campaign = watched.find(isHere) ?? (await findIn(deps, user, given));
  const setting = given.enabled ? 'ON' : 'OFF';
  await inTransaction(deps.db, async (tx) => {
    await ensureWorkItem(tx, campaign.accountId);
    await turnSmartPause(tx, user, { setting, campaigns: [campaign] }, now);
    await wake(tx, [campaign.accountId]);
  });
  deps.wake();
  return setting;
}

/** In a transaction that has locked the work items of the campaigns' ad accounts, and wakes them. */
export async function turnSmartPause(
  tx: Db,
  user: User,
  { setting, campaigns }: { setting: 'ON' | 'OFF'; campaigns: readonly Watched[] },
  now: Instant,
): Promise<void> {
  await saveSmartPause(tx, { userId: user.id, setting, campaigns }, now);
  await dropAskedResumes(
    tx,
    user.id,
    campaigns.map(({ id }) => id),
  );
  const facts = { isOn: setting === 'ON' };
  const about = { userId: user.id, actor: 'user', event: 'smartpause', facts } as const;
  const turned = campaigns.filter(({ smartPauseSetting }) => smartPauseSetting !== setting);
  const activities = turned.map(({ id, name, accountId }) => ({
    ...about,
    accountId,
    campaign: { id, name },
  }));
  await recordActivities(tx, activities, now);
  if (setting === 'OFF') return;
  for (const accountId of new Set(campaigns.map((one) => one.accountId)))
    await makeSchedulesDue(tx, accountId);
}

/** Only in an ad account of the user, by the stored list or Meta's list. */
async function findIn(
  deps: ServiceDeps,
  user: User,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<OwnCampaign> {
  await requireListing(deps, user, given.accountId);
  let campaign = await findOwnCampaign(deps.db, user.id, given.campaignId);
  if (campaign === null) {
    await readNow(deps, user, given.accountId);
    campaign = await findOwnCampaign(deps.db, user.id, given.campaignId);
  }
  if (campaign?.accountId !== given.accountId) throw new ApiError('CAMPAIGN_NOT_FOUND');
  if (given.enabled) requireChangeable(campaign);
  return campaign;
}
