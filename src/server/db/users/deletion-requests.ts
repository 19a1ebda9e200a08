import type { Instant } from '#core/time.ts';
import type { Fingerprints } from '../../secrets.ts';
import type { Db } from '../database.ts';

/**
 * Records a deletion request from Meta. A repeat, or another request while one is open, joins it.
 * @param request.outcome null: the deletion is still to be done
 */
export async function noteDeletionRequest(
  tx: Db,
  request: {
    code: string;
    fingerprints: Fingerprints;
    outcome: 'nothing_to_delete' | 'superseded' | null;
  },
  now: Instant,
): Promise<string> {
  const known = await tx
    .selectFrom('deletionRequests')
    .select('code')
    .where((eb) =>
      eb.or([
        eb('code', '=', request.code),
        eb.and([
          eb('platformUserHash', 'in', request.fingerprints),
          eb('finishedAt', 'is', null),
          eb('superseded', '=', false),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (known !== undefined) return known.code;
  await tx
    .insertInto('deletionRequests')
    .values({
      code: request.code,
      platformUserHash: request.fingerprints[0],
      requestedAt: new Date(now),
      finishedAt: request.outcome === 'nothing_to_delete' ? new Date(now) : null,
      superseded: request.outcome === 'superseded',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return request.code;
}

/**
 * Completes the user's deletion requests.
 * @returns the code of the request, if Meta had sent one
 */
export async function finishDeletionRequests(
  tx: Db,
  fingerprints: Fingerprints,
  now: Instant,
): Promise<string | null> {
  const finished = await tx
    .updateTable('deletionRequests')
    .set({ finishedAt: new Date(now) })
    .where('platformUserHash', 'in', fingerprints)
    .where('finishedAt', 'is', null)
    .where('superseded', '=', false)
    .returning('code')
    .execute();
  return finished[0]?.code ?? null;
}

/** Superseded: the user logged in after the request, so nothing was deleted. */
export async function findDeletionRequest(db: Db, code: string) {
  const row = await db
    .selectFrom('deletionRequests')
    .select(['code', 'requestedAt', 'finishedAt', 'superseded as isSuperseded'])
    .where('code', '=', code)
    .executeTakeFirst();
  return row ?? null;
}
