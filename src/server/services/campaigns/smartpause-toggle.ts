import { ApiError } from '#contract/errors.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import { CAMPAIGNS } from '#core/smartpause/activity-text.ts';
import type { OwnCampaign } from '../../db/campaigns.ts';
import { findOwnCampaign, findWatched, saveSmartPause } from '../../db/campaigns.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { makeSchedulesDue } from '../../db/other-schedules.ts';
import { ensureWorkItem, wake } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { requireChangeable, requireMayAct } from '../access.ts';
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
  const watched = given.enabled ? null : await findWatched(deps.db, user.id, given);
  const campaign = watched ?? (await findIn(deps, user, given));
  const setting = given.enabled ? 'ON' : 'OFF';
  const { id: campaignId, accountId, name } = campaign;
  await inTransaction(deps.db, async (tx) => {
    await ensureWorkItem(tx, accountId);
    await saveSmartPause(tx, { userId: user.id, campaignId, accountId, setting }, now);
    if (setting !== campaign.smartPauseSetting) {
      const message = `SmartPause was turned ${setting === 'ON' ? 'on' : 'off'} for ${CAMPAIGNS}`;
      const about = { userId: user.id, accountId, actor: 'user', type: 'setting' } as const;
      const turned = { event: 'smartpause', message, reason: setting, campaign: { id: campaignId, name } };
      await recordActivities(tx, [{ ...about, ...turned }], now);
    }
    await wake(tx, [accountId]);
    if (given.enabled) await makeSchedulesDue(tx, accountId, now);
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
