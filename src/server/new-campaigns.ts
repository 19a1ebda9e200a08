import type { NewCampaign, OnForNew } from '#core/new-campaigns.ts';
import { turnedOnFor } from '#core/new-campaigns.ts';
import type { Instant } from '#core/time.ts';
import type { Activity } from './db/activities.ts';
import { recordActivities } from './db/activities.ts';
import { findProtected } from './db/billing/subscriptions.ts';
import type { CampaignList } from './db/campaigns.ts';
import { saveCampaigns } from './db/campaigns.ts';
import type { Db } from './db/database.ts';
import { inTransaction } from './db/database.ts';
import { lockOnForNew, lockWorkItem, showsHeldRunning, turnOn } from './db/new-campaigns.ts';
import { makeSchedulesDue } from './db/other-schedules.ts';
import { updatePriorities } from './db/priorities.ts';
import { ensureWorkItem, wake } from './db/work-items.ts';

/** Saves a campaign list that was read for a page or in the background. True: the reconciler has work now. */
export async function saveListAndTurnOn(db: Db, list: CampaignList, now: Instant): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const onForNew = await lockOnForNew(tx, [list.accountId]);
    if (onForNew.length > 0) await ensureWorkItem(tx, list.accountId);
    else await lockWorkItem(tx, list.accountId);
    const campaigns = await saveCampaigns(tx, [list]);
    const isSurprising = await showsHeldRunning(tx, list);
    if (isSurprising) await wake(tx, [list.accountId]);
    return (await turnOnNewCampaigns(tx, { onForNew, campaigns }, now)) || isSurprising;
  });
}

/** True: SmartPause is on for some now. */
export async function turnOnNewCampaigns(
  tx: Db,
  { onForNew, campaigns }: { onForNew: readonly OnForNew[]; campaigns: readonly NewCampaign[] },
  now: Instant,
): Promise<boolean> {
  if (onForNew.length === 0 || campaigns.length === 0) return false;
  const userIds = onForNew.map(({ userId }) => userId);
  const turnedOn = turnedOnFor(onForNew, campaigns, await findProtected(tx, userIds, now));
  if (turnedOn.length === 0) return false;
  const own = turnedOn.flatMap(({ userId, fresh }) => fresh.map((campaign) => ({ userId, ...campaign })));
  await turnOn(tx, own, now);
  await recordActivities(tx, own.map(activityOf), now);
  for (const accountId of new Set(turnedOn.map((one) => one.accountId))) {
    await ensureWorkItem(tx, accountId);
    await updatePriorities(tx, [accountId]);
    await wake(tx, [accountId]);
    await makeSchedulesDue(tx, accountId);
  }
  return true;
}

function activityOf({ userId, accountId, id, name }: OnForNew & NewCampaign): Activity {
  const about = { userId, accountId, actor: 'smartpause', event: 'smartpause_on_new', facts: {} } as const;
  return { ...about, campaign: { id, name } };
}
