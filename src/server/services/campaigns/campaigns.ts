import { Refusal } from '#contract/errors.ts';
import type { Instant } from '#core/time.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import { byHandText, letGoText } from '#core/smartpause/activity-text.ts';
import type { AccountAnswer } from '../../platforms/meta/client.ts';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import type { OwnCampaign } from '../../db/campaigns.ts';
import {
  findOwnCampaign,
  findWatched,
  notePausedByHand,
  saveSmartPause,
  saveWrittenStatus,
} from '../../db/campaigns.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { giveUpByHand, letGoByHand, turnOffHold } from '../../db/holds/holds.ts';
import { recordActivities } from '../../db/journal.ts';
import { ensureLane, makeDue } from '../../db/lanes.ts';
import type { Person } from '../../db/users/people.ts';
import { findToken } from '../../db/users/tokens.ts';
import { requireMayAct } from '../access.ts';
import { requireOwnAccount } from './ad-accounts.ts';
import { lookAgain } from './campaign-lists.ts';
import type { OperationDeps } from '../deps.ts';
import { withLane } from './lane-lease.ts';
import { refusalOf } from './platform-refusal.ts';
import type { Doubt } from './settled-doubt.ts';
import { findDoubt, recordSettled } from './settled-doubt.ts';

/** Turning on needs all that a hold needs; turning off always works and gives a held campaign back at once. */
export async function setSmartPause(
  deps: OperationDeps,
  person: Person,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<SmartPauseSetting> {
  const now = deps.clock.now();
  if (given.enabled) await requireMayAct(deps.db, person, now);
  const campaign =
    (given.enabled ? null : await findWatched(deps.db, person.id, given)) ??
    (await findIn(deps, person, given));
  const setting = given.enabled ? 'ON' : 'OFF';
  const { id: campaignId, accountId, name } = campaign;
  await inTransaction(deps.db, async (tx) => {
    await ensureLane(tx, accountId);
    await saveSmartPause(tx, { personId: person.id, campaignId, accountId, setting }, now);
    const about = { personId: person.id, accountId, campaignId };
    if (setting === 'OFF') await turnOffHold(tx, about, now);
    if (setting !== campaign.smartPauseSetting) {
      const message = `SmartPause was turned ${setting === 'ON' ? 'on' : 'off'} for "${name}".`;
      const activity = { ...about, actor: 'person', type: 'setting', event: 'smartpause', message } as const;
      await recordActivities(tx, [{ ...activity, reason: setting }], now);
    }
    await makeDue(tx, [accountId], now);
  });
  deps.wake();
  return setting;
}

/** In the person's own ad account, as far as we know or the platform says. */
async function findIn(
  deps: OperationDeps,
  person: Person,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<OwnCampaign> {
  await requireOwnAccount(deps, person, given.accountId);
  let campaign = await findOwnCampaign(deps.db, person.id, given.campaignId);
  if (campaign === null) {
    await lookAgain(deps, person, given.accountId);
    campaign = await findOwnCampaign(deps.db, person.id, given.campaignId);
  }
  if (campaign?.accountId !== given.accountId) throw new Refusal('CAMPAIGN_NOT_FOUND');
  if (given.enabled && campaign.isLegacyAdvantage) throw new Refusal('LEGACY_CAMPAIGN');
  return campaign;
}

/** The advertiser's own pause: a hold on the campaign ends, and nothing of ours will resume it. */
export async function pauseCampaign(
  deps: OperationDeps,
  person: Person,
  campaignId: string,
): Promise<string> {
  const now = deps.clock.now();
  await requireMayAct(deps.db, person, now);
  const campaign = await findChangeable(deps, person, campaignId);
  await writeStatus(deps, person, { ...campaign, status: 'PAUSED' });
  return 'PAUSED';
}

/** Always works, also without a subscription, unless SmartPause is on: then SmartPause decides. */
export async function resumeCampaign(
  deps: OperationDeps,
  person: Person,
  campaignId: string,
): Promise<string> {
  const campaign = await findChangeable(deps, person, campaignId);
  if (campaign.smartPauseSetting === 'ON') throw new Refusal('SMARTPAUSE_ACTIVE');
  await writeStatus(deps, person, { ...campaign, status: 'ACTIVE' });
  return 'ACTIVE';
}

async function findChangeable(deps: OperationDeps, person: Person, campaignId: string): Promise<OwnCampaign> {
  const campaign = await findOwnCampaign(deps.db, person.id, campaignId);
  if (campaign === null) throw new Refusal('CAMPAIGN_NOT_FOUND');
  if (campaign.isLegacyAdvantage) throw new Refusal('LEGACY_CAMPAIGN');
  return campaign;
}

interface Wanted {
  id: string;
  accountId: string;
  name: string;
  status: 'ACTIVE' | 'PAUSED';
}

/** Alone in the ad account: what the engine does there comes before or after, and what it held is known. */
async function writeStatus(deps: OperationDeps, person: Person, wanted: Wanted): Promise<void> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) throw new Refusal('TOKEN_EXPIRED');
  const { id: campaignId, accountId, status } = wanted;
  await withLane(deps, accountId, async () => {
    if (status === 'ACTIVE') await requireSmartPauseOff(deps, person, campaignId);
    const doubt = await findDoubt(deps, token, wanted);
    const { results, usage } = await deps.platform.setStatuses(token, accountId, [{ campaignId, status }]);
    const result = results.get(campaignId);
    if (result?.ok !== true) {
      const failure = result?.failure;
      const done =
        failure?.maybeDone === true &&
        isNow(await deps.platform.readStatuses(token, accountId, [campaignId]), campaignId, status);
      const otherwise = 'CAMPAIGN_ACTION_FAILED';
      if (!done) return { refused: await refusalOf(deps, person, { failure, otherwise }), failure, usage };
    }
    await inTransaction(deps.db, (tx) => recordOwnAct(tx, person, { ...wanted, doubt }, deps.clock.now()));
    return { refused: null, usage };
  });
}

/** It may have been turned on while this waited for its turn. */
async function requireSmartPauseOff(deps: OperationDeps, person: Person, campaignId: string): Promise<void> {
  const campaign = await findOwnCampaign(deps.db, person.id, campaignId);
  if (campaign?.smartPauseSetting === 'ON') throw new Refusal('SMARTPAUSE_ACTIVE');
}

/** Whoever's SmartPause held the campaign, a pause by hand ends that; nothing of ours undoes what a hand has done. */
async function recordOwnAct(
  tx: Db,
  person: Person,
  wanted: Wanted & { doubt: Doubt | null },
  now: Instant,
): Promise<void> {
  const { id: campaignId, accountId, status, name, doubt } = wanted;
  // Ours was there first, and is told like any other.
  if (doubt?.isDone === true) await recordSettled(tx, doubt.hold, name, now);
  const unsettled = doubt?.isDone === null ? doubt.hold : null;
  await saveWrittenStatus(tx, [{ campaignId, status }], now);
  await notePausedByHand(tx, campaignId, status, now);
  const settled = doubt?.isDone === true ? doubt.hold.id : null;
  const byHand = { campaignId, personId: person.id, settled, unsettled: unsettled?.id ?? null };
  const ended = status === 'PAUSED' ? await letGoByHand(tx, byHand, now) : [];
  if (status === 'ACTIVE') await giveUpByHand(tx, byHand, now);
  const type = status === 'PAUSED' ? 'pause' : 'resume';
  const message = byHandText(person.name, name, { did: `${type}d`, unsettled: unsettled?.state ?? null });
  const about = { personId: person.id, accountId, campaignId, actor: 'person' } as const;
  const own = { ...about, type, message, event: `manual_${type}`, reason: 'by hand' } as const;
  const reason = 'paused_by_other';
  const told = ended
    .filter((hold) => hold.personId !== person.id)
    .map((hold) => ({
      ...about,
      personId: hold.personId,
      holdId: hold.holdId,
      type: 'other' as const,
      event: 'let_go',
      message: letGoText(name, reason, unsettled?.state ?? null),
      reason,
    }));
  await recordActivities(tx, [own, ...told], now);
}

function isNow(
  read: AccountAnswer<Map<string, LiveStatus>>,
  campaignId: string,
  status: LiveStatus,
): boolean {
  return read.ok && read.value.get(campaignId) === status;
}
