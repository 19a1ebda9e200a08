import type { RefusalCode } from '#contract/errors.ts';
import type { PlatformFailure } from '../../platforms/meta/errors.ts';
import type { User } from '../../db/users/users.ts';
import { suspectToken } from '../../db/users/tokens.ts';
import type { ServiceDeps } from '../deps.ts';

/**
 * Maps a failed call to an API error. A refused token is checked at once, with a notification if confirmed.
 */
export async function refusalOf<Otherwise extends RefusalCode>(
  deps: ServiceDeps,
  user: User,
  given: { failure: PlatformFailure | undefined; otherwise: Otherwise },
): Promise<'TOKEN_EXPIRED' | Otherwise> {
  if (given.failure?.kind !== 'token_invalid') return given.otherwise;
  await suspectToken(deps.db, user.id, deps.clock.now());
  return 'TOKEN_EXPIRED';
}
