import type { z } from 'zod';
import type { Api } from '#contract/api.ts';
import { Refusal } from '#contract/errors.ts';
import type { LastKnown } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';
import { FRESH_MS, listAge } from '#core/list-age.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { afterFailure } from '../../platforms/meta/after-failure.ts';
import type { Listing } from '../../db/campaigns.ts';
import { campaignListReadAt, findListing, listCampaigns, saveCampaigns } from '../../db/campaigns.ts';
import { blockLane, isBlocked } from '../../db/lanes.ts';
import type { Person } from '../../db/users/people.ts';
import { findToken } from '../../db/users/tokens.ts';
import {
  PATIENCE_MS,
  RETRY_MS,
  getAdAccounts,
  keyOf,
  otherwise,
  requireOwnAccount,
  since,
  soon,
} from './ad-accounts.ts';
import type { OperationDeps } from '../deps.ts';
import { refusalOf } from './platform-refusal.ts';
import type { Outcome } from './readings.ts';

/** The page asks for the accounts every 30 s, so this is seldom over. */
const VERIFY_MS = seconds(60);

/** The list that we have. An old one is read again afterwards, for the next request; one that is too old is read first. */
export async function getCampaigns(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<z.input<Api['campaigns']['reply']>> {
  const listing = await readIfTooOld(deps, person, {
    accountId,
    listing: await requireStillTheirs(deps, person, accountId),
  });
  const isLimited = isBlockedNow(deps, listing);
  const readAt = listing.readAt ?? (await firstReading(deps, person, { accountId, isLimited }));
  const isOld = !isFresh(deps, readAt);
  const behind = isOld && !isLimited ? await readBehind(deps, person, { accountId, readAt }) : null;
  const stored = await listCampaigns(deps.db, person.id, accountId);
  const campaigns = stored
    .map(({ id, name, status, objective, smartPauseSetting, dailyBudget, held, isLegacyAdvantage }) => ({
      id,
      name,
      status,
      objective,
      smartPauseSetting,
      dailyBudget,
      held,
      ...(isLegacyAdvantage && { isLegacyAdvantage }),
    }))
    .sort(byListOrder);
  const because = isOld && isLimited ? 'limit' : (behind?.because ?? null);
  return {
    campaigns,
    readAt: new Date(readAt).toISOString(),
    ...(behind?.isUnderWay === true && { isBeingRead: true }),
    ...(because !== null && since(readAt, because)),
  };
}

/** The listing after the reading, or after the time that a request waits for one. */
async function readIfTooOld(
  deps: OperationDeps,
  person: Person,
  { accountId, listing }: { accountId: string; listing: Listing },
): Promise<Listing> {
  const { readAt } = listing;
  if (readAt === null || listAge(readAt, deps.clock.now()) !== 'too_old') return listing;
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null || isBlockedNow(deps, listing)) return listing;
  const reading = readInLine(deps, person, { accountId, token });
  if (reading === null || deps.readings.isLate(keyOf(person, token, accountId), PATIENCE_MS)) return listing;
  await soon(deps, true, reading).catch(() => otherwise);
  const after = await findListing(deps.db, person.id, accountId);
  // It may have been taken from them while they waited.
  if (after === null) throw new Refusal('AD_ACCOUNT_NOT_FOUND');
  return after;
}

function isBlockedNow({ clock }: OperationDeps, { blockedUntil }: Listing): boolean {
  return blockedUntil !== null && blockedUntil > clock.now();
}

/** Without any list there is nothing to show: the caller waits for it. */
async function firstReading(
  deps: OperationDeps,
  person: Person,
  { accountId, isLimited }: { accountId: string; isLimited: boolean },
): Promise<Instant> {
  const refused = isLimited ? otherwise : await refreshCampaigns(deps, person, accountId);
  if (refused !== null) throw new Refusal(refused);
  // It may have been taken from them while they waited.
  const readAt = (await findListing(deps.db, person.id, accountId))?.readAt ?? null;
  if (readAt === null) throw new Refusal('AD_ACCOUNT_NOT_FOUND');
  return readAt;
}

/** No caller waits for this reading. What is known of it is what came of the last one, or that it takes too long. */
async function readBehind(
  deps: OperationDeps,
  person: Person,
  { accountId, readAt }: { accountId: string; readAt: Instant },
): Promise<{ isUnderWay: boolean; because: LastKnown['because'] | null }> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) return { isUnderWay: false, because: null };
  readInLine(deps, person, { accountId, token })?.catch((error: unknown) =>
    deps.log.warn({ err: error }, 'a list could not be read'),
  );
  const key = keyOf(person, token, accountId);
  const { readings } = deps;
  const isUnderWay = readings.isUnderWay(key);
  const isSilent = readings.hasFailedSince(key, readAt) || readings.isLate(key, PATIENCE_MS);
  if (!isSilent) return { isUnderWay, because: null };
  // The reading may have met the limit since the listing was looked at.
  const isLimited = await isBlocked(deps.db, accountId, deps.clock.now());
  return { isUnderWay, because: isLimited ? 'limit' : 'no_answer' };
}

/** After the lists that the same person asked for before. Null: this one was tried a moment ago. */
function readInLine(
  deps: OperationDeps,
  person: Person,
  given: { accountId: string; token: string },
): Promise<Outcome> | null {
  const key = keyOf(person, given.token, given.accountId);
  if (deps.readings.lastWithin(key, RETRY_MS) !== undefined) return null;
  return deps.readings.joinInLine(keyOf(person, given.token, 'lists'), key, readList(deps, person, given));
}

function isFresh({ clock }: OperationDeps, readAt: Instant | null): boolean {
  return readAt !== null && listAge(readAt, clock.now()) === 'fresh';
}

/** The list is shared by everybody with access to the account, so each one's own access is looked at now and then. */
async function requireStillTheirs(deps: OperationDeps, person: Person, accountId: string): Promise<Listing> {
  const known = await findListing(deps.db, person.id, accountId);
  if (known !== null && deps.clock.now() - known.seenAt <= VERIFY_MS) return known;
  if (known === null) await requireOwnAccount(deps, person, accountId);
  else await getAdAccounts(deps, person);
  const verified = await findListing(deps.db, person.id, accountId);
  if (verified === null) throw new Refusal('AD_ACCOUNT_NOT_FOUND');
  return verified;
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
  const key = keyOf(person, token, accountId);
  const last = deps.readings.lastWithin(key, unlessWithinMs);
  return last === undefined ? deps.readings.join(key, readList(deps, person, { accountId, token })) : last;
}

function readList(
  deps: OperationDeps,
  person: Person,
  { accountId, token }: { accountId: string; token: string },
): () => Promise<Outcome> {
  return async () => {
    // While this waited the list may have been read, the account blocked, or its person gone or logged in again.
    const listing = await findListing(deps.db, person.id, accountId);
    if (listing === null || isFresh(deps, listing.readAt)) return null;
    const tokenNow = await findToken(deps.db, deps.vault, person.id);
    // A caller that waits for the first list must ask again, which it does with the new login, or learns that there is none.
    if (tokenNow !== token) {
      if (listing.readAt !== null) return null;
      return tokenNow === null ? 'TOKEN_EXPIRED' : otherwise;
    }
    const readAt = deps.clock.now();
    if (isBlockedNow(deps, listing)) return otherwise;
    const answer = await deps.platform.listCampaigns(token, accountId, { withArchived: true });
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
    await saveCampaigns(deps.db, [{ accountId, campaigns: answer.value, readAt, withArchived: true }]);
    return null;
  };
}
