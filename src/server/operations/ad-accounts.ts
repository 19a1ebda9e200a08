import { Refusal } from '#contract/errors.ts';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';
import { seconds } from '#core/time.ts';
import { afterFailure } from '../adapters/meta/after-failure.ts';
import {
  adAccountSeenAt,
  campaignListReadAt,
  listAdAccounts,
  listCampaigns,
  ownsAdAccount,
  saveAdAccounts,
  saveCampaigns,
} from '../db/campaigns.ts';
import { blockLane, isBlocked } from '../db/lanes.ts';
import type { Person } from '../db/people.ts';
import { findToken } from '../db/tokens.ts';
import type { OperationDeps } from './deps.ts';
import { refusalOf } from './platform-refusal.ts';

/** A list younger than this is shown as it is: several open pages must not use up the account's limit. */
const FRESH_MS = seconds(30);
/** The page asks for the accounts every 30 s, so this is seldom over. */
const VERIFY_MS = seconds(60);
const otherwise = 'PLATFORM_UNAVAILABLE';

/** The platform's list, or while it does not answer the one we have. */
export async function getAdAccounts(deps: OperationDeps, person: Person): Promise<AdAccount[]> {
  const token = await findToken(deps.db, deps.vault, person.id);
  const stored = await listAdAccounts(deps.db, person.id);
  if (token === null) return orRefuse(stored, 'TOKEN_EXPIRED');
  const answer = await deps.platform.listAdAccounts(token);
  if (!answer.ok)
    return orRefuse(stored, await refusalOf(deps, person, { failure: answer.failure, otherwise }));
  await saveAdAccounts(deps.db, person.id, answer.value, deps.clock.now());
  return listAdAccounts(deps.db, person.id);
}

export async function getCampaigns(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<Campaign[]> {
  await requireStillTheirs(deps, person, accountId);
  const readAt = await campaignListReadAt(deps.db, accountId);
  const now = deps.clock.now();
  const mayRead = !(await isBlocked(deps.db, accountId, now));
  if (mayRead && (readAt === null || now - readAt > FRESH_MS)) {
    const refused = await refreshCampaigns(deps, person, accountId);
    if (refused !== null && readAt === null) throw new Refusal(refused);
  }
  const stored = await listCampaigns(deps.db, person.id, accountId);
  return stored
    .map(({ id, name, status, objective, smartPauseSetting, dailyBudget, held }) => ({
      id,
      name,
      status,
      objective,
      smartPauseSetting,
      dailyBudget,
      held,
    }))
    .sort(byListOrder);
}

/** The list is shared by everybody with access to the account, so each one's own access is looked at now and then. */
async function requireStillTheirs(deps: OperationDeps, person: Person, accountId: string): Promise<void> {
  await requireOwnAccount(deps, person, accountId);
  const seenAt = await adAccountSeenAt(deps.db, person.id, accountId);
  if (seenAt !== null && deps.clock.now() - seenAt <= VERIFY_MS) return;
  await getAdAccounts(deps, person);
  if (!(await ownsAdAccount(deps.db, person.id, accountId))) throw new Refusal('AD_ACCOUNT_NOT_FOUND');
}

/** Reads the account's campaigns from the platform. Null when done, else why not. */
export async function refreshCampaigns(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE' | null> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) return 'TOKEN_EXPIRED';
  const readAt = deps.clock.now();
  const answer = await deps.platform.listCampaigns(token, accountId);
  if (!answer.ok) {
    const now = deps.clock.now();
    const { blockedUntil } = afterFailure(answer.failure, { failures: 1, usage: answer.usage, roll: 0, now });
    if (blockedUntil !== null) await blockLane(deps.db, accountId, blockedUntil);
    return refusalOf(deps, person, { failure: answer.failure, otherwise });
  }
  await saveCampaigns(deps.db, [{ accountId, campaigns: answer.value, readAt }]);
  return null;
}

/** Their own, as far as we know or the platform says. */
export async function requireOwnAccount(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<void> {
  if (await ownsAdAccount(deps.db, person.id, accountId)) return;
  if ((await listAdAccounts(deps.db, person.id)).length === 0) {
    const accounts = await getAdAccounts(deps, person);
    if (accounts.some(({ id }) => id === accountId)) return;
  }
  throw new Refusal('AD_ACCOUNT_NOT_FOUND');
}

function orRefuse(stored: AdAccount[], code: 'TOKEN_EXPIRED' | 'PLATFORM_UNAVAILABLE'): AdAccount[] {
  if (stored.length === 0) throw new Refusal(code);
  return stored;
}
