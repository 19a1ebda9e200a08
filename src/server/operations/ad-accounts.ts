import { createHash } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import type { AdAccount, Campaign, LastKnown } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { afterFailure } from '../adapters/meta/after-failure.ts';
import {
  adAccountSeenAt,
  adAccountsSeenAt,
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
import type { Outcome } from './readings.ts';

/** A list younger than this is shown as it is: several open pages must not use up the account's limit. */
const FRESH_MS = seconds(30);
/** Whoever has just been given an ad account and loads the page anew is to see it. */
const ACCOUNTS_FRESH_MS = seconds(5);
/** The page asks for the accounts every 30 s, so this is seldom over. */
const VERIFY_MS = seconds(60);
/** How long somebody waits for a newer list than the one that we have. */
const PATIENCE_MS = seconds(5);
const otherwise = 'PLATFORM_UNAVAILABLE';

/** The platform's list, or while it does not answer the one we have. */
export async function getAdAccounts(
  deps: OperationDeps,
  person: Person,
): Promise<{ adAccounts: AdAccount[]; lastKnown?: LastKnown }> {
  const stored = await listAdAccounts(deps.db, person.id);
  const refused = await soon(deps, stored.length > 0, refreshAdAccounts(deps, person));
  const adAccounts = await listAdAccounts(deps.db, person.id);
  if (refused === null) return { adAccounts };
  if (stored.length === 0) throw new Refusal(refused);
  const seenAt = await adAccountsSeenAt(deps.db, person.id);
  return { adAccounts, ...since(refused === 'PLATFORM_UNAVAILABLE' ? seenAt : null, 'no_answer') };
}

/** Reads the person's ad accounts from the platform, unless that was done a moment ago. */
async function refreshAdAccounts(deps: OperationDeps, person: Person): Promise<Outcome> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) return 'TOKEN_EXPIRED';
  const key = `${readerOf(person, token)} ad accounts`;
  if (deps.readings.lastWithin(key, ACCOUNTS_FRESH_MS) === null) return null;
  return deps.readings.join(key, async () => {
    const answer = await deps.platform.listAdAccounts(token);
    if (!answer.ok) return refusalOf(deps, person, { failure: answer.failure, otherwise });
    await saveAdAccounts(deps.db, person.id, answer.value, deps.clock.now());
    return null;
  });
}

/** Each reads for themselves and with the token of that time: what came of it says nothing of anybody else's rights. */
function readerOf(person: Person, token: string): string {
  return `${person.id} ${createHash('sha256').update(token).digest('base64url')}`;
}

export async function getCampaigns(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<{ campaigns: Campaign[]; lastKnown?: LastKnown }> {
  await requireStillTheirs(deps, person, accountId);
  const readAt = await campaignListReadAt(deps.db, accountId);
  const isOld = !isFresh(deps, readAt);
  const isLimited = isOld && (await isBlocked(deps.db, accountId, deps.clock.now()));
  // A list that was never read is not an empty one.
  if (isLimited && readAt === null) throw new Refusal(otherwise);
  let refused: Outcome = null;
  if (isOld && !isLimited) {
    refused = await soon(deps, readAt !== null, refreshCampaigns(deps, person, accountId));
    if (refused !== null && readAt === null) throw new Refusal(refused);
  }
  const stored = await listCampaigns(deps.db, person.id, accountId);
  const campaigns = stored
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
  const isLastKnown = isLimited || refused === 'PLATFORM_UNAVAILABLE';
  return { campaigns, ...since(isLastKnown ? readAt : null, isLimited ? 'limit' : 'no_answer') };
}

function isFresh({ clock }: OperationDeps, readAt: Instant | null): boolean {
  return readAt !== null && clock.now() - readAt <= FRESH_MS;
}

/** Whoever can be shown something already does not wait for ever; the reading goes on, for the next time. */
async function soon(deps: OperationDeps, hasOther: boolean, reading: Promise<Outcome>): Promise<Outcome> {
  if (!hasOther) return reading;
  const patience = Promise.withResolvers<Outcome>();
  const cancel = deps.clock.after(PATIENCE_MS, () => patience.resolve(otherwise));
  reading.catch((error: unknown) => deps.log.warn({ err: error }, 'a list could not be read'));
  return Promise.race([reading, patience.promise]).finally(cancel);
}

function since(at: Instant | null, because: LastKnown['because']): { lastKnown?: LastKnown } {
  return at === null ? {} : { lastKnown: { at: new Date(at).toISOString(), because } };
}

/** The list is shared by everybody with access to the account, so each one's own access is looked at now and then. */
async function requireStillTheirs(deps: OperationDeps, person: Person, accountId: string): Promise<void> {
  await requireOwnAccount(deps, person, accountId);
  const seenAt = await adAccountSeenAt(deps.db, person.id, accountId);
  if (seenAt !== null && deps.clock.now() - seenAt <= VERIFY_MS) return;
  await getAdAccounts(deps, person);
  if (!(await ownsAdAccount(deps.db, person.id, accountId))) throw new Refusal('AD_ACCOUNT_NOT_FOUND');
}

/** For what is not in the list that we have. One read a moment ago would not have it either, nor could be read now. */
export async function lookAgain(deps: OperationDeps, person: Person, accountId: string): Promise<void> {
  if (isFresh(deps, await campaignListReadAt(deps.db, accountId))) return;
  if (await isBlocked(deps.db, accountId, deps.clock.now())) return;
  await refreshCampaigns(deps, person, accountId, FRESH_MS);
}

/** Reads the account's campaigns from the platform, unless that was tried within this time. */
async function refreshCampaigns(
  deps: OperationDeps,
  person: Person,
  accountId: string,
  unlessWithinMs = 0,
): Promise<Outcome> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) return 'TOKEN_EXPIRED';
  const key = `${readerOf(person, token)} ${accountId}`;
  const last = deps.readings.lastWithin(key, unlessWithinMs);
  if (last !== undefined) return last;
  return deps.readings.join(key, async () => {
    // Who was about to join the one before may come when that has just ended.
    if (isFresh(deps, await campaignListReadAt(deps.db, accountId))) return null;
    const readAt = deps.clock.now();
    const answer = await deps.platform.listCampaigns(token, accountId);
    if (!answer.ok) {
      const now = deps.clock.now();
      const { blockedUntil } = afterFailure(answer.failure, {
        failures: 1,
        usage: answer.usage,
        roll: 0,
        now,
      });
      if (blockedUntil !== null) await blockLane(deps.db, accountId, blockedUntil);
      return refusalOf(deps, person, { failure: answer.failure, otherwise });
    }
    await saveCampaigns(deps.db, [{ accountId, campaigns: answer.value, readAt }]);
    return null;
  });
}

/** Their own, as far as we know or the platform says. */
export async function requireOwnAccount(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<void> {
  if (await ownsAdAccount(deps.db, person.id, accountId)) return;
  if ((await listAdAccounts(deps.db, person.id)).length === 0) {
    const { adAccounts } = await getAdAccounts(deps, person);
    if (adAccounts.some(({ id }) => id === accountId)) return;
  }
  throw new Refusal('AD_ACCOUNT_NOT_FOUND');
}
