import { Refusal } from '#contract/errors.ts';
import type { Instant } from '#core/time.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { AccountAnswer } from '../adapters/meta/client.ts';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import { findOwnCampaign, saveSmartPause, saveWrittenStatus } from '../db/campaigns.ts';
import { inTransaction } from '../db/database.ts';
import { letGo } from '../db/holds.ts';
import { recordActivities } from '../db/journal.ts';
import { ensureLane, makeDue } from '../db/lanes.ts';
import type { Person } from '../db/people.ts';
import { findToken } from '../db/tokens.ts';
import { requireMayAct } from './access.ts';
import { refreshCampaigns, requireOwnAccount } from './ad-accounts.ts';
import type { OperationDeps } from './deps.ts';
import { withLane } from './lane-lease.ts';
import { refusalOf } from './platform-refusal.ts';

/** Turning on needs all that a hold needs; turning off always works and gives a held campaign back at once. */
export async function setSmartPause(
  deps: OperationDeps,
  person: Person,
  given: { accountId: string; campaignId: string; enabled: boolean },
): Promise<SmartPauseSetting> {
  const now = deps.clock.now();
  if (given.enabled) await requireMayAct(deps.db, person, now);
  await requireOwnAccount(deps, person, given.accountId);
  const campaign = await requireCampaignIn(deps, person, given);
  const setting = given.enabled ? 'ON' : 'OFF';
  const { id: campaignId, accountId, name } = campaign;
  await inTransaction(deps.db, async (tx) => {
    await ensureLane(tx, accountId);
    await saveSmartPause(tx, { personId: person.id, campaignId, accountId, setting }, now);
    const about = { personId: person.id, accountId, campaignId };
    if (setting === 'OFF') await letGo(tx, { ...about, reason: 'smartpause_off' }, now);
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

async function requireCampaignIn(
  deps: OperationDeps,
  person: Person,
  given: { accountId: string; campaignId: string },
): Promise<NonNullable<Awaited<ReturnType<typeof findOwnCampaign>>>> {
  let campaign = await findOwnCampaign(deps.db, person.id, given.campaignId);
  if (campaign === null) {
    await refreshCampaigns(deps, person, given.accountId);
    campaign = await findOwnCampaign(deps.db, person.id, given.campaignId);
  }
  if (campaign?.accountId !== given.accountId) throw new Refusal('CAMPAIGN_NOT_FOUND');
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
  const campaign = await findOwnCampaign(deps.db, person.id, campaignId);
  if (campaign === null) throw new Refusal('CAMPAIGN_NOT_FOUND');
  await takeOver(deps, person, campaign, now);
  await writeStatus(deps, person, { ...campaign, status: 'PAUSED' });
  return 'PAUSED';
}

/** What SmartPause holds is the person's own from now on: nothing of ours will resume it. */
async function takeOver(
  deps: OperationDeps,
  person: Person,
  campaign: { id: string; accountId: string; name: string },
  now: Instant,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const about = { personId: person.id, campaignId: campaign.id };
    if (!(await letGo(tx, { ...about, reason: 'manual_pause' }, now))) return;
    const { accountId, name } = campaign;
    const message = `${person.name} took over the pause of "${name}".`;
    const act = {
      actor: 'person',
      type: 'other',
      event: 'taken_over',
      reason: 'manual_pause',
      message,
    } as const;
    await recordActivities(tx, [{ ...about, ...act, accountId }], now);
  });
}

/** Always works, also without a subscription, unless SmartPause is on: then SmartPause decides. */
export async function resumeCampaign(
  deps: OperationDeps,
  person: Person,
  campaignId: string,
): Promise<string> {
  const campaign = await findOwnCampaign(deps.db, person.id, campaignId);
  if (campaign === null) throw new Refusal('CAMPAIGN_NOT_FOUND');
  if (campaign.smartPauseSetting === 'ON') throw new Refusal('SMARTPAUSE_ACTIVE');
  await writeStatus(deps, person, { ...campaign, status: 'ACTIVE' });
  return 'ACTIVE';
}

async function writeStatus(
  deps: OperationDeps,
  person: Person,
  wanted: { id: string; accountId: string; name: string; status: 'ACTIVE' | 'PAUSED' },
): Promise<void> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) throw new Refusal('TOKEN_EXPIRED');
  const { id: campaignId, accountId, status } = wanted;
  await withLane(deps, accountId, async () => {
    const { results, usage } = await deps.platform.setStatuses(token, accountId, [{ campaignId, status }]);
    const result = results.get(campaignId);
    if (result?.ok !== true) {
      const failure = result?.failure;
      const done =
        failure?.maybeDone === true &&
        isNow(await deps.platform.readStatuses(token, accountId, [campaignId]), campaignId, status);
      const otherwise = 'CAMPAIGN_ACTION_FAILED';
      if (!done) throw new Refusal(await refusalOf(deps, person, { failure, otherwise }));
    }
    const now = deps.clock.now();
    await inTransaction(deps.db, async (tx) => {
      await saveWrittenStatus(tx, [{ campaignId, status }], now);
      const paused = status === 'PAUSED';
      const message = `${person.name} ${paused ? 'paused' : 'resumed'} "${wanted.name}".`;
      const type = paused ? 'pause' : 'resume';
      const about = { personId: person.id, accountId, campaignId };
      await recordActivities(
        tx,
        [{ ...about, actor: 'person', type, message, event: `manual_${type}` }],
        now,
      );
    });
    return { value: null, usage };
  });
}

function isNow(
  read: AccountAnswer<Map<string, LiveStatus>>,
  campaignId: string,
  status: LiveStatus,
): boolean {
  return read.ok && read.value.get(campaignId) === status;
}
