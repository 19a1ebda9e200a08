import type { Api } from '#contract/api.ts';
import type { ResultOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import type { LastKnown } from '#contract/shapes.ts';
import type { UnreadBecause } from '#contract/try-api.ts';
import type { DeliveryTimes } from '#core/campaign.ts';
import { byListOrder, undelivered } from '#core/campaign.ts';
import { NEW_CAMPAIGNS_MS, listAge } from '#core/list-age.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { isOfUser } from '#core/platform.ts';
import { notResumed } from '#core/reconciler/refusals.ts';
import { BEING_CHECKED_MS } from '#core/reconciler/work.ts';
import type { LeftAlone } from '#core/reconciler/world.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { statusFor } from '#core/smartpause/signals.ts';
import { firstMatchSince } from '#core/smartpause/status.ts';
import { scheduleLabel } from '#core/smartpause/other-schedule.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import { afterFailure } from '#core/after-failure.ts';
import { isSuspended } from '#core/app-state.ts';
import type { NextJob } from '../../db/account-jobs.ts';
import { AS_BEFORE, noteJobsWait } from '../../db/account-jobs.ts';
import type { Listing } from '../../db/ad-accounts.ts';
import { findListing, saveAccess } from '../../db/ad-accounts.ts';
import { findProtected } from '../../db/billing/subscriptions.ts';
import type { StoredCampaign } from '../../db/campaigns.ts';
import { listCampaigns } from '../../db/campaigns.ts';
import { findLeftAlone } from '../../db/holds/holds.ts';
import type { StoredRefusedResume } from '../../db/holds/not-resumed.ts';
import { findRefusedResumes } from '../../db/holds/not-resumed.ts';
import { findListReaders, planNewCampaigns } from '../../db/new-campaigns.ts';
import { findActing, findWord } from '../../db/signals.ts';
import { readStatus } from '../../db/status/status.ts';
import { saveListAndTurnOn } from '../../new-campaigns.ts';
import { blockWorkItem } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { findUsers } from '../../db/users/users.ts';
import { doDueJobs } from '../../due-jobs.ts';
import type { Needs, ServiceDeps } from '../deps.ts';
import { requireListing } from './ad-accounts.ts';
import { beginRead, noteReadFailure, unreadError } from './begin-read.ts';
import type { ListRead, ReadFailure } from './list-reads.ts';

/** Polling pages must not retry a failed read at once. */
const RETRY_MS = seconds(10);

const BECAUSE: Record<NonNullable<ReadFailure>, LastKnown['because'] | undefined> = {
  PLATFORM_UNAVAILABLE: 'no_answer',
  AD_ACCOUNT_NOT_FOUND: 'no_access',
  TOKEN_EXPIRED: undefined,
  APP_STOPPED: undefined,
};

/** Returns the stored list. An old one is then read in the background; one that is too old is read first. */
export async function getCampaigns(
  deps: ServiceDeps,
  user: User,
  accountId: string,
): Promise<ResultOf<Api['campaigns']>> {
  const known = await requireListing(deps, user, accountId);
  const read = isFresh(deps, known) ? null : await readCampaigns(deps, user, known);
  await waitIfNeeded(deps, known, read);
  // The user may have lost the account during the wait.
  const listing = await findListing(deps.db, user.id, accountId);
  if (listing?.readAt == null) throw new ApiError('AD_ACCOUNT_NOT_FOUND');
  const stored = await listCampaigns(deps.db, user.id, accountId);
  const now = deps.clock.now();
  const refused = notResumed(await findRefusedResumes(deps.db, [user.id], now), now);
  const leftOn = await findLeftOn(deps, user, accountId);
  const because = isFresh(deps, listing) ? undefined : silenceOf(deps, listing, read);
  const isAppSuspended = isSuspended(deps.app.stopped());
  // After its end an outage may keep what the user's word has paused.
  const isSaid = stored.some((one) => one.isPausedAll) && (await findWord(deps.db, user.id, now)) !== null;
  return {
    campaigns: stored
      .map((one) => ({ ...one, isPausedAll: one.isPausedAll && isSaid }))
      .map((campaign) => ({
        // While the app is suspended nothing is tried.
        ...describe(
          isAppSuspended ? { ...campaign, retryAt: null } : campaign,
          leftOn?.get(campaign.id),
          deps.clock.now(),
        ),
        notResumed: saidOf(refused.get(campaign.id)),
      }))
      .sort(byListOrder),
    ...(read?.endedAt === null && { isBeingRead: true }),
    ...(because !== undefined && { lastKnown: { at: listing.readAt, because } }),
  };
}

/** Without a stored list the request waits for the read, with one that is too old some seconds. */
async function waitIfNeeded(deps: ServiceDeps, { readAt, isBlocked }: Listing, read: ListRead | null) {
  if (readAt === null) {
    if (isBlocked) throw new ApiError('PLATFORM_UNAVAILABLE');
    const failure = read === null ? 'TOKEN_EXPIRED' : await read.result;
    if (failure !== null) throw unreadError(failure);
  } else if (read !== null && listAge(readAt, deps.clock.now()) === 'too_old') await deps.lists.soon(read);
}

/** Undefined: nothing is known to be wrong. */
function silenceOf(
  deps: ServiceDeps,
  { isBlocked }: Listing,
  read: ListRead | null,
): LastKnown['because'] | undefined {
  if (isSuspended(deps.app.stopped())) return null;
  if (isBlocked) return 'limit';
  if (deps.app.stopped() !== null || (read === null && deps.app.isNearLimit())) return 'app_limit';
  const failure = read === null ? null : deps.lists.failureOf(read);
  return failure === null ? undefined : BECAUSE[failure];
}

/** Why a list is not asked for now; undefined: it is. */
export function unaskedBecause(
  { app }: Needs<'app'>,
  { isBlocked }: Pick<Listing, 'isBlocked'>,
): UnreadBecause | undefined {
  if (isSuspended(app.stopped())) return 'suspended';
  if (isBlocked) return 'limit';
  return app.isSparing() || app.stopped() !== null ? 'app_limit' : undefined;
}

/** In a match of the user: the campaigns that no other hold begins for. */
async function findLeftOn({ db, clock }: ServiceDeps, user: User, accountId: string) {
  const now = clock.now();
  const status = await readStatus(db);
  const signals = await findActing(db, [user.id], { now, matchBegan: firstMatchSince(status) });
  const { known, matchSince } = statusFor(status, signals.get(user.id) ?? [], now);
  if (!meetsThreshold(known, user.threshold)) return undefined;
  return (await findLeftAlone(db, [accountId], matchSince[user.threshold], user.id)).get(user.id);
}

const saidOf = (refused: StoredRefusedResume | undefined) =>
  refused && { words: refused.words, at: refused.at };

const ACTIONS = { PAUSED: 'pause', ACTIVE: 'resume' } as const;

function describe(stored: StoredCampaign, left: LeftAlone | undefined, now: Instant) {
  const {
    isLegacyAdvantage,
    heldByOther,
    isPausedAll,
    isPausedEarly,
    pendingStatus,
    pausedAt,
    testUntil,
    ...campaign
  } = stored;
  const { startTime, stopTime, otherSchedule, readRunningSince, ...more } = campaign;
  const { refusedTarget, refusal, refusedKind, retryAt, postponedUntil, ...shown } = more;
  const isBlocked = refusedKind === 'blocked';
  const isChecked = readRunningSince !== null && now >= readRunningSince + BEING_CHECKED_MS;
  return {
    ...shown,
    ...deliveryOf({ startTime, stopTime }, now),
    ...(isLegacyAdvantage && { isLegacyAdvantage }),
    ...(heldByOther && { heldByOther }),
    ...(isPausedAll && { isPausedAll }),
    ...(isPausedEarly && { isPausedEarly }),
    ...(pendingStatus !== null && { pendingStatus }),
    ...(stored.held && pausedAt !== null && { heldSince: pausedAt }),
    ...(testUntil !== null && { testUntil }),
    ...(isChecked && { isBeingChecked: true }),
    ...(otherSchedule !== null && {
      otherSchedule: { text: scheduleLabel(otherSchedule), timeZone: otherSchedule.timeZone },
    }),
    ...(postponedUntil !== null && { postponedUntil }),
    ...(left !== undefined && stored.status === 'ACTIVE' && { leftOn: left.why }),
    ...(refusedTarget !== null &&
      postponedUntil === null && {
        refused: {
          ...{ action: ACTIONS[refusedTarget], words: refusal, retryAt },
          ...(isBlocked && { isBlocked }),
        },
      }),
  };
}

/** Why Meta does not deliver the campaign now, and when that began or ends. */
function deliveryOf(times: DeliveryTimes, now: Instant) {
  const why = undelivered(times, now);
  const at = why === 'ended' ? times.stopTime : times.startTime;
  return why === null ? {} : { undelivered: { why, at } };
}

function isFresh({ clock }: ServiceDeps, { readAt }: Listing): boolean {
  return readAt !== null && listAge(readAt, clock.now()) === 'fresh';
}

/** Waits some seconds for a fresh list, and from `until` on reads none. False: there is none. */
export async function readNow(
  deps: ServiceDeps,
  user: User,
  accountId: string,
  until: Instant = Infinity,
): Promise<boolean> {
  const listing = await findListing(deps.db, user.id, accountId);
  if (listing === null) return false;
  if (isFresh(deps, listing)) return true;
  if (deps.clock.now() >= until) return false;
  const read = await readCampaigns(deps, user, listing);
  return read !== null && (await deps.lists.soon(read)) === null;
}

/**
 * Null: Meta accepts no token of the user, or its limit for the ad account is used up, or nearly that of our app.
 * @param onFailure not called if another request has begun the read
 */
async function readCampaigns(
  deps: ServiceDeps,
  user: User,
  { accountId, readAt: storedAt, isBlocked, isLost }: Listing,
  onFailure?: (failure: PlatformFailure) => void,
): Promise<ListRead | null> {
  // Without a stored list a read that has ended is no answer.
  const reuseMs = storedAt === null ? 0 : RETRY_MS;
  if (isBlocked || (storedAt !== null && deps.app.isSparing())) return null;
  return beginRead(deps, user, { about: accountId, reuseMs }, async (token) => {
    const readAt = deps.clock.now();
    const answer = await deps.platform.listCampaigns(token, accountId, { withArchived: true });
    const now = deps.clock.now();
    const access = { userId: user.id, accountId };
    if (!answer.ok) {
      const { failure, usage } = answer;
      onFailure?.(failure);
      const { blockedUntil } = afterFailure(failure, { failures: 1, usage, now }, Math.random());
      if (blockedUntil !== null) await blockWorkItem(deps.db, accountId, blockedUntil - now);
      const noted = await noteReadFailure(deps, user, { failure, about: 'account' });
      if (noted === 'AD_ACCOUNT_NOT_FOUND') await saveAccess(deps.db, access, now);
      return noted;
    }
    const { value: campaigns, isPartial, withArchived } = answer;
    const list = { accountId, campaigns, isPartial, readAt, withArchived };
    if (isLost) await saveAccess(deps.db, access, null);
    if (await saveListAndTurnOn(deps.db, list, now)) deps.wake();
    return null;
  });
}

/** A process that ends waits for them; pages keep most connections. */
const AT_ONCE = 10;

/** Reads the campaign lists of users who want SmartPause on for new campaigns, also without an open page. */
export async function readListsForNewCampaigns(deps: ServiceDeps): Promise<void> {
  // A process that alone cannot reach Meta says nothing about the jobs of the others.
  if (deps.app.isSparing()) return noteJobsWait(deps.db);
  if (mustWait(deps)) return;
  await planNewCampaigns(deps.db);
  await doDueJobs(deps, 'new_campaigns', AT_ONCE, (accountId) => readForNewCampaigns(deps, accountId));
}

/** Meta answers none, or our app's limit is needed. */
const mustWait = ({ isPlatformDown, app }: ServiceDeps): boolean => isPlatformDown() || app.isSparing();

/** A limit of the ad account or the app, or a token that was just refused, has prevented the read. */
const HELD_UP_MS = minutes(1);

/**
 * Reads with the first user who can. After a failure the account waits as long as after a success, and only one that is
 * about the user is followed by a read of the next one.
 */
async function readForNewCampaigns(deps: ServiceDeps, accountId: string): Promise<NextJob> {
  const userIds = await findListReaders(deps.db, accountId);
  if (userIds.length === 0) return null;
  const now = deps.clock.now();
  const covered = await findProtected(deps.db, userIds, now);
  let [isTried, isHeldUp] = [false, false];
  for (const [userId, user] of await findUsers(
    deps.db,
    userIds.filter((id) => covered.has(id)),
  )) {
    const listing = await findListing(deps.db, userId, accountId);
    if (listing === null) continue;
    // A page or another user may have read it.
    const waitMs = (listing.readAt ?? -Infinity) + NEW_CAMPAIGNS_MS - now;
    if (waitMs > 0) return waitMs;
    if (isTried && mustWait(deps)) return AS_BEFORE;
    const failures: PlatformFailure[] = [];
    const read = await readCampaigns(deps, user, listing, (failure) => failures.push(failure));
    isTried ||= read !== null;
    isHeldUp ||= read === null;
    if (read !== null && ((await read.result) === null || !failures.some(isOfUser))) return NEW_CAMPAIGNS_MS;
  }
  return isHeldUp && !isTried ? HELD_UP_MS : NEW_CAMPAIGNS_MS;
}
