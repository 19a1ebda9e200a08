import type { RefusalCode } from '#contract/errors.ts';
import type { PlatformFailure } from '../../platforms/meta/errors.ts';
import type { Person } from '../../db/users/people.ts';
import { suspectToken } from '../../db/users/tokens.ts';
import type { OperationDeps } from '../deps.ts';

/** What a failed call means for the person. A refused token is looked into at once, and told if it is so. */
export async function refusalOf<Otherwise extends RefusalCode>(
  deps: OperationDeps,
  person: Person,
  given: { failure: PlatformFailure | undefined; otherwise: Otherwise },
): Promise<'TOKEN_EXPIRED' | Otherwise> {
  if (given.failure?.kind !== 'token_invalid') return given.otherwise;
  await suspectToken(deps.db, person.id, deps.clock.now());
  return 'TOKEN_EXPIRED';
}
