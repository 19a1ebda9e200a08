import { ApiError } from '#contract/errors.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { mayBeTheToken } from '#core/platform.ts';
import { findToken, suspectTokens } from '../../db/users/tokens.ts';
import type { User } from '../../db/users/users.ts';
import { hashSecret } from '../../secrets.ts';
import type { ServiceDeps } from '../deps.ts';
import type { ListRead, ReadFailure } from './list-reads.ts';

/**
 * Reads a list with the user's token. What one user may read says nothing about another.
 * @param about the ad account, or 'user' for the list of ad accounts
 * @returns null: Meta accepts no token of the user
 */
export async function beginRead(
  deps: ServiceDeps,
  user: User,
  { about, reuseMs }: { about: string; reuseMs: number },
  read: (token: string) => Promise<ReadFailure>,
): Promise<ListRead | null> {
  const token = await findToken(deps.db, deps.cipher, user.id);
  if (token === null) return null;
  const key = [user.id, Buffer.from(hashSecret(token)).toString('base64url'), about].join(' ');
  return deps.lists.begin(key, reuseMs, () => read(token));
}

/** For a list that was never read. */
export function unreadError(failure: NonNullable<ReadFailure>): ApiError {
  return new ApiError(failure === 'APP_STOPPED' ? 'PLATFORM_UNAVAILABLE' : failure);
}

/** A suspected token is checked soon, and its user gets an email if it is invalid. */
export async function noteReadFailure(
  deps: ServiceDeps,
  user: User,
  { failure, about }: { failure: PlatformFailure; about: 'user' | 'account' },
): Promise<NonNullable<ReadFailure>> {
  if (mayBeTheToken(failure, about)) await suspectTokens(deps.db, [user.id], deps.clock.now());
  if (failure.kind === 'token_invalid') return 'TOKEN_EXPIRED';
  if (failure.appStop !== null && deps.app.stopped() !== null) return 'APP_STOPPED';
  const isRefused = about === 'account' && (failure.kind === 'permission' || failure.kind === 'gone');
  return isRefused ? 'AD_ACCOUNT_NOT_FOUND' : 'PLATFORM_UNAVAILABLE';
}
