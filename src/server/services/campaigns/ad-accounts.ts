import type { Api } from '#contract/api.ts';
import type { ResultOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import type { AdAccount, LastKnown } from '#contract/shapes.ts';
import { noDelivery } from '#core/account-delivery.ts';
import { isSuspended } from '#core/app-state.ts';
import type { NotProtected } from '#core/outages/reasons.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { Listing } from '../../db/ad-accounts.ts';
import { countProtected, findListing, listAdAccounts, saveAdAccounts } from '../../db/ad-accounts.ts';
import type { User } from '../../db/users/users.ts';
import type { ServiceDeps } from '../deps.ts';
import { beginRead, noteReadFailure, unreadError } from './begin-read.ts';
import type { ReadFailure } from './list-reads.ts';

/** Short, so that a reload shows a newly granted ad account. */
const FRESH_MS = seconds(5);
/** The page requests the ad accounts every 30 s, so access is normally newer than this. */
const VERIFY_MS = seconds(60);

type StoredAdAccount = Awaited<ReturnType<typeof listAdAccounts>>[number];

/** Meta's list, or the stored one while Meta does not answer. */
export async function getAdAccounts(deps: ServiceDeps, user: User): Promise<ResultOf<Api['adAccounts']>> {
  const failure = await refreshAdAccounts(deps, user);
  const now = deps.clock.now();
  const counts = await countProtected(deps.db, user.id, now);
  const accounts = await listAdAccounts(deps.db, user.id, now);
  const adAccounts = accounts.map((account) => describe(account, counts.get(account.id) ?? 0, now));
  if (failure !== null && accounts.length === 0) throw unreadError(failure);
  const because = silenceOf(deps, failure);
  if (because === undefined || accounts.length === 0) return { adAccounts };
  const at = Math.max(...accounts.map(({ seenAt }) => seenAt));
  return { adAccounts, lastKnown: { at, because } };
}

/** Undefined: the list is new, or the user must log in again. */
function silenceOf({ app }: ServiceDeps, failure: ReadFailure): LastKnown['because'] | undefined {
  if (failure === 'TOKEN_EXPIRED') return undefined;
  if (isSuspended(app.stopped())) return null;
  if (failure !== null && failure !== 'APP_STOPPED') return 'no_answer';
  return app.stopped() !== null || app.isNearLimit() ? 'app_limit' : undefined;
}

/** @param count campaigns with SmartPause on */
function describe(account: StoredAdAccount, count: number, now: Instant): AdAccount {
  const { id, name, currency } = account;
  const notProtected = whyNotProtected(account);
  const reason = noDelivery(account, now);
  return {
    ...{ id, name, currency, protectedCampaigns: count },
    ...(notProtected !== null && { notProtected }),
    ...(reason !== null && { noDelivery: reason }),
  };
}

function whyNotProtected({ areWritesBlocked, mayPause, lostAt }: StoredAdAccount): NotProtected | null {
  if (areWritesBlocked) return 'unconfirmed';
  if (lostAt !== null) return 'no_access';
  return mayPause ? null : 'role';
}

/** Waits for Meta's list, with a stored one some seconds at most, and not at all while our app's limit is nearly used up. */
async function refreshAdAccounts(deps: ServiceDeps, user: User): Promise<ReadFailure> {
  const stored = await listAdAccounts(deps.db, user.id, deps.clock.now());
  if (stored.length > 0 && deps.app.isSparing()) return null;
  const read = await beginRead(deps, user, { about: 'user', reuseMs: FRESH_MS }, async (token) => {
    const readAt = deps.clock.now();
    const answer = await deps.platform.listAdAccounts(token);
    if (!answer.ok) return noteReadFailure(deps, user, { failure: answer.failure, about: 'user' });
    await saveAdAccounts(deps.db, user.id, answer, readAt);
    return null;
  });
  if (read === null) return 'TOKEN_EXPIRED';
  return stored.length === 0 ? read.result : deps.lists.soon(read);
}

/**
 * The ad account, if it is one of the user's own.
 * All users with access share its campaign list, so each user's access is verified regularly.
 */
export async function requireListing(deps: ServiceDeps, user: User, accountId: string): Promise<Listing> {
  const known = await findListing(deps.db, user.id, accountId);
  if (known !== null && deps.clock.now() - known.seenAt <= VERIFY_MS) return known;
  const isForeign = known === null && (await listAdAccounts(deps.db, user.id, deps.clock.now())).length > 0;
  if (!isForeign) await refreshAdAccounts(deps, user);
  const verified = isForeign ? null : await findListing(deps.db, user.id, accountId);
  if (verified === null) throw new ApiError('AD_ACCOUNT_NOT_FOUND');
  return verified;
}
