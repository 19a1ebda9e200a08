import { createHash } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import type { AdAccount, LastKnown } from '#contract/shapes.ts';
import type { NotProtected } from '#core/smartpause/blockers.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { countProtected, findListing, listAdAccounts, saveAdAccounts } from '../../db/campaigns.ts';
import type { User } from '../../db/users/users.ts';
import { findToken } from '../../db/users/tokens.ts';
import type { ServiceDeps } from '../deps.ts';
import { apiErrorOf } from './platform-error.ts';
import type { Outcome } from './list-refreshes.ts';

/** Short, so that a reload shows a newly granted ad account. */
const ACCOUNTS_FRESH_MS = seconds(5);
/** Polling pages must not retry a failed read at once. */
export const RETRY_MS = seconds(10);
/** How long a request waits for newer data before it returns the stored list as last known. */
export const TIMEOUT_MS = seconds(5);
export const otherwise = 'PLATFORM_UNAVAILABLE';

/** Meta's list, or the stored one while Meta does not answer. */
export async function getAdAccounts(
  deps: ServiceDeps,
  user: User,
): Promise<{ adAccounts: AdAccount[]; lastKnown?: LastKnown }> {
  const stored = await listAdAccounts(deps.db, user.id, deps.clock.now());
  const hasOther = stored.length > 0;
  const refused = await soon(deps, hasOther, refreshAdAccounts(deps, user, { hasOther }));
  const now = deps.clock.now();
  const counts = await countProtected(deps.db, user.id, now);
  const accounts = await listAdAccounts(deps.db, user.id, now);
  const adAccounts = accounts.map(({ id, name, currency, ...account }): AdAccount => {
    const count = counts.get(id) ?? 0;
    const notProtected = whyNotProtected(account, count > 0);
    if (notProtected === null) return { id, name, currency, protectedCampaigns: count };
    return { id, name, currency, protectedCampaigns: 0, notProtected };
  });
  if (refused === null) return { adAccounts };
  if (!hasOther) throw new ApiError(refused);
  if (refused !== otherwise || accounts.length === 0) return { adAccounts };
  return { adAccounts, ...since(Math.max(...accounts.map(({ seenAt }) => seenAt)), 'no_answer') };
}

type StoredAdAccount = Awaited<ReturnType<typeof listAdAccounts>>[number];

/** @param isUsed whether SmartPause is on for campaigns there */
function whyNotProtected(
  { areWritesBlocked, mayPause, lostAt }: Pick<StoredAdAccount, 'areWritesBlocked' | 'mayPause' | 'lostAt'>,
  isUsed: boolean,
): NotProtected | null {
  if (areWritesBlocked) return 'unconfirmed';
  if (!isUsed) return null;
  if (lostAt !== null) return 'no_access';
  return mayPause ? null : 'role';
}

/** Reads the ad accounts from Meta unless a recent read succeeded, or failed with a stored list available. */
async function refreshAdAccounts(
  deps: ServiceDeps,
  user: User,
  { hasOther }: { hasOther: boolean },
): Promise<Outcome> {
  const token = await findToken(deps.db, deps.cipher, user.id);
  if (token === null) return 'TOKEN_EXPIRED';
  const key = keyOf(user, token, 'ad accounts');
  if (deps.refreshes.lastWithin(key, ACCOUNTS_FRESH_MS) === null) return null;
  const hasFailed = deps.refreshes.lastWithin(key, RETRY_MS) === otherwise;
  if (hasOther && (hasFailed || deps.refreshes.isLate(key, TIMEOUT_MS))) return otherwise;
  return deps.refreshes.join(key, async () => {
    const answer = await deps.platform.listAdAccounts(token);
    if (!answer.ok) return apiErrorOf(deps, user, { failure: answer.failure, about: 'user', otherwise });
    await saveAdAccounts(deps.db, user.id, answer, deps.clock.now());
    return null;
  });
}

/** Per user and token: the result of a read says nothing about the rights of other users. */
export function keyOf(user: User, token: string, what: string): string {
  return `${user.id} ${createHash('sha256').update(token).digest('base64url')} ${what}`;
}

/** Limits the wait if a stored list exists; the read continues for the next request. */
export async function soon(
  deps: ServiceDeps,
  hasOther: boolean,
  reading: Promise<Outcome>,
): Promise<Outcome> {
  if (!hasOther) return reading;
  const timeout = Promise.withResolvers<Outcome>();
  const cancel = deps.clock.after(TIMEOUT_MS, () => timeout.resolve(otherwise));
  reading.catch((error: unknown) => deps.log.warn({ err: error }, 'a list could not be read'));
  return Promise.race([reading, timeout.promise]).finally(cancel);
}

export function since(at: Instant, because: LastKnown['because']): { lastKnown: LastKnown } {
  return { lastKnown: { at: new Date(at).toISOString(), because } };
}

/** Accepts the account if the stored list or Meta's list contains it. */
export async function requireOwnAccount(deps: ServiceDeps, user: User, accountId: string): Promise<void> {
  if ((await findListing(deps.db, user.id, accountId)) !== null) return;
  if ((await listAdAccounts(deps.db, user.id, deps.clock.now())).length === 0) {
    const { adAccounts } = await getAdAccounts(deps, user);
    if (adAccounts.some(({ id }) => id === accountId)) return;
  }
  throw new ApiError('AD_ACCOUNT_NOT_FOUND');
}
