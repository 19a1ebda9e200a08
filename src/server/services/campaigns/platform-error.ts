import type { ApiErrorCode } from '#contract/errors.ts';
import type { PlatformFailure } from '../../platforms/meta/errors.ts';
import { mayBeTheToken } from '../../platforms/meta/errors.ts';
import type { User } from '../../db/users/users.ts';
import { suspectTokens } from '../../db/users/tokens.ts';
import type { ServiceDeps } from '../deps.ts';

/** Maps a failed call to an API error. A suspected token is checked soon, with a notification if it is invalid. */
export async function apiErrorOf<Otherwise extends ApiErrorCode>(
  deps: ServiceDeps,
  user: User,
  given: { failure: PlatformFailure; about: 'user' | 'account'; otherwise: Otherwise },
): Promise<'TOKEN_EXPIRED' | Otherwise> {
  const { failure, about, otherwise } = given;
  if (mayBeTheToken(failure, about)) await suspectTokens(deps.db, [user.id], deps.clock.now());
  return failure.kind === 'token_invalid' ? 'TOKEN_EXPIRED' : otherwise;
}
