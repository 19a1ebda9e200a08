import type { z } from 'zod';
import type { Api } from '#contract/api.ts';
import { ApiError } from '#contract/errors.ts';
import type { Campaign, LastKnown } from '#contract/shapes.ts';
import type { DeliveryTimes } from '#core/campaign.ts';
import { byListOrder, undelivered } from '#core/campaign.ts';
import { FRESH_MS, listAge } from '#core/list-age.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { afterFailure } from '../../platforms/meta/after-failure.ts';
import type { Listing } from '../../db/campaigns.ts';
import { findListing, listCampaigns } from '../../db/campaigns.ts';
import { saveListAndTurnOn } from '../../db/new-campaigns.ts';
import { blockWorkItem } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { findToken } from '../../db/users/tokens.ts';
import {
  RETRY_MS,
  TIMEOUT_MS,
  getAdAccounts,
  keyOf,
  otherwise,
  requireOwnAccount,
  since,
  soon,
} from './ad-accounts.ts';
import type { ServiceDeps } from '../deps.ts';
import { apiErrorOf } from './platform-error.ts';
import type { Outcome } from './list-refreshes.ts';

/** The page requests the ad accounts every 30 s, so access is normally newer than this. */
const VERIFY_MS = seconds(60);

/** Returns the stored list. An old one is then read in the background; one that is too old is read first. */
export async function getCampaigns(
  deps: ServiceDeps,
  user: User,
  accountId: string,
): Promise<z.input<Api['campaigns']['reply']>> {
  const listing = await readIfTooOld(deps, user, {
    accountId,
    listing: await requireStillTheirs(deps, user, accountId),
  });
  const isLimited = listing.isBlocked;
  const readAt = listing.readAt ?? (await firstReading(deps, user, { accountId, isLimited }));
  const isOld = !isFresh(deps, readAt);
  const behind = isOld && !isLimited ? await readBehind(deps, user, { accountId, readAt }) : null;
  const stored = await listCampaigns(deps.db, user.id, accountId);
  const campaigns = stored
    .map(({ isLegacyAdvantage, heldSince, testUntil, startTime, stopTime, ...campaign }) => ({
      ...campaign,
      ...deliveryOf({ startTime, stopTime }, deps.clock.now()),
      ...(isLegacyAdvantage && { isLegacyAdvantage }),
      ...(heldSince !== undefined && { heldSince: new Date(heldSince).toISOString() }),
      ...(testUntil !== undefined && { testUntil: new Date(testUntil).toISOString() }),
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

/** Why Meta does not deliver the campaign now, and when that began or ends. */
function deliveryOf(times: DeliveryTimes, now: Instant): Pick<Campaign, 'undelivered'> {
  const why = undelivered(times, now);
  const at = why === 'ended' ? times.stopTime : times.startTime;
  return why === null ? {} : { undelivered: { why, at: new Date(at ?? now).toISOString() } };
}

/** Returns the listing after the read, or after the maximum wait. */
async function readIfTooOld(
  deps: ServiceDeps,
  user: User,
  { accountId, listing }: { accountId: string; listing: Listing },
): Promise<Listing> {
  const { readAt } = listing;
  if (readAt === null || listAge(readAt, deps.clock.now()) !== 'too_old') return listing;
  const token = await findToken(deps.db, deps.cipher, user.id);
  if (token === null || listing.isBlocked) return listing;
  const reading = readUnlessRecent(deps, user, { accountId, token });
  if (deps.refreshes.isLate(keyOf(user, token, accountId), TIMEOUT_MS)) return listing;
  // Null: a read has just ended, maybe after this listing was loaded.
  if (reading !== null) await soon(deps, true, reading).catch(() => otherwise);
  const after = await findListing(deps.db, user.id, accountId);
  // The user may have lost the account during the wait.
  if (after === null) throw new ApiError('AD_ACCOUNT_NOT_FOUND');
  return after;
}

/** Without a stored list the request waits for the read. */
async function firstReading(
  deps: ServiceDeps,
  user: User,
  { accountId, isLimited }: { accountId: string; isLimited: boolean },
): Promise<Instant> {
  const refused = isLimited ? otherwise : await refreshCampaigns(deps, user, accountId);
  if (refused !== null) throw new ApiError(refused);
  // The user may have lost the account during the wait.
  const readAt = (await findListing(deps.db, user.id, accountId))?.readAt ?? null;
  if (readAt === null) throw new ApiError('AD_ACCOUNT_NOT_FOUND');
  return readAt;
}

/** Starts a read without waiting. The reason comes from the last result, or from a slow read. */
async function readBehind(
  deps: ServiceDeps,
  user: User,
  { accountId, readAt }: { accountId: string; readAt: Instant },
): Promise<{ isUnderWay: boolean; because: LastKnown['because'] | null }> {
  const token = await findToken(deps.db, deps.cipher, user.id);
  if (token === null) return { isUnderWay: false, because: null };
  readUnlessRecent(deps, user, { accountId, token })?.catch((error: unknown) =>
    deps.log.warn({ err: error }, 'a list could not be read'),
  );
  const key = keyOf(user, token, accountId);
  const { refreshes } = deps;
  const isUnderWay = refreshes.isUnderWay(key);
  const isSilent = refreshes.hasFailedSince(key, readAt) || refreshes.isLate(key, TIMEOUT_MS);
  if (!isSilent) return { isUnderWay, because: null };
  // The read may have met the limit since the listing was loaded.
  const listing = await findListing(deps.db, user.id, accountId);
  return { isUnderWay, because: listing?.isBlocked === true ? 'limit' : 'no_answer' };
}

/** Null: this list was read a moment ago. */
function readUnlessRecent(
  deps: ServiceDeps,
  user: User,
  given: { accountId: string; token: string },
): Promise<Outcome> | null {
  const key = keyOf(user, given.token, given.accountId);
  if (deps.refreshes.lastWithin(key, RETRY_MS) !== undefined) return null;
  return deps.refreshes.join(key, readList(deps, user, given));
}

function isFresh({ clock }: ServiceDeps, readAt: Instant | null): boolean {
  return readAt !== null && listAge(readAt, clock.now()) === 'fresh';
}

/** All users with access share the list, so each user's access is verified regularly. */
async function requireStillTheirs(deps: ServiceDeps, user: User, accountId: string): Promise<Listing> {
  const known = await findListing(deps.db, user.id, accountId);
  if (known !== null && deps.clock.now() - known.seenAt <= VERIFY_MS) return known;
  if (known === null) await requireOwnAccount(deps, user, accountId);
  else await getAdAccounts(deps, user);
  const verified = await findListing(deps.db, user.id, accountId);
  if (verified === null) throw new ApiError('AD_ACCOUNT_NOT_FOUND');
  return verified;
}

/** For a campaign missing from the stored list. Skips the read if the list is fresh or Meta's limit blocks it. */
export async function lookAgain(deps: ServiceDeps, user: User, accountId: string): Promise<void> {
  const listing = await findListing(deps.db, user.id, accountId);
  if (listing === null || listing.isBlocked || isFresh(deps, listing.readAt)) return;
  await refreshCampaigns(deps, user, accountId, FRESH_MS);
}

/** Waits for a fresh list. False: there is none, and the stored one is older. */
export async function readNow(deps: ServiceDeps, user: User, accountId: string): Promise<boolean> {
  const listing = await findListing(deps.db, user.id, accountId);
  if (listing === null || listing.isBlocked) return false;
  if (isFresh(deps, listing.readAt)) return true;
  const reading = refreshCampaigns(deps, user, accountId, RETRY_MS);
  return (await soon(deps, listing.readAt !== null, reading)) === null;
}

/** Reads the account's campaigns from Meta, unless an attempt ended within this time. */
export async function refreshCampaigns(
  deps: ServiceDeps,
  user: User,
  accountId: string,
  unlessWithinMs = 0,
): Promise<Outcome> {
  const token = await findToken(deps.db, deps.cipher, user.id);
  if (token === null) return 'TOKEN_EXPIRED';
  const key = keyOf(user, token, accountId);
  const last = deps.refreshes.lastWithin(key, unlessWithinMs);
  return last === undefined ? deps.refreshes.join(key, readList(deps, user, { accountId, token })) : last;
}

function readList(
  deps: ServiceDeps,
  user: User,
  { accountId, token }: { accountId: string; token: string },
): () => Promise<Outcome> {
  return async () => {
    // During the wait another read, a block, a deletion or a new login may have occurred.
    const listing = await findListing(deps.db, user.id, accountId);
    if (listing === null || isFresh(deps, listing.readAt)) return null;
    const tokenNow = await findToken(deps.db, deps.cipher, user.id);
    // A request for the first list must retry, either with the new token or to learn that there is none.
    if (tokenNow !== token) {
      if (listing.readAt !== null) return null;
      return tokenNow === null ? 'TOKEN_EXPIRED' : otherwise;
    }
    const readAt = deps.clock.now();
    if (listing.isBlocked) return otherwise;
    const answer = await deps.platform.listCampaigns(token, accountId, { withArchived: true });
    if (!answer.ok) {
      const now = deps.clock.now();
      const { blockedUntil } = afterFailure(answer.failure, {
        failures: 1,
        usage: answer.usage,
        now,
      });
      if (blockedUntil !== null) await blockWorkItem(deps.db, accountId, blockedUntil - now);
      return apiErrorOf(deps, user, { failure: answer.failure, about: 'account', otherwise });
    }
    const { value: campaigns, isPartial } = answer;
    const list = { accountId, campaigns, isPartial, readAt, withArchived: true };
    if (await saveListAndTurnOn(deps.db, list, deps.clock.now())) deps.wake();
    return null;
  };
}
