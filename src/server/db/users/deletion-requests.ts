import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Fingerprints } from '../../secrets.ts';
import type { Db } from '../database.ts';

/**
 * Records a deletion request from Meta. A repeat, or another request while one is open, joins it.
 * @param request.outcome null: the deletion is still to be done
 */
export async function noteDeletionRequest(
  tx: Db,
  request: { code: string; fingerprints: Fingerprints; outcome: 'nothing_to_delete' | 'superseded' | null },
  now: Instant,
): Promise<string> {
  const { code, fingerprints, outcome } = request;
  const isJoined = sql<boolean>`(code = ${code} or ${isOpen(fingerprints)})`;
  const known = await tx.selectFrom('deletionRequests').select('code').where(isJoined).executeTakeFirst();
  if (known !== undefined) return known.code;
  await tx
    .insertInto('deletionRequests')
    .values({
      code,
      platformUserHash: fingerprints[0],
      requestedAt: new Date(now),
      finishedAt: outcome === 'nothing_to_delete' ? new Date(now) : null,
      superseded: outcome === 'superseded',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return code;
}

/** Requests of the user that are still to be done. */
const isOpen = (fingerprints: Fingerprints) => sql<boolean>`(
  platform_user_hash = any(${fingerprints}::bytea[]) and finished_at is null and not superseded)`;

/**
 * Completes the user's deletion requests.
 * @returns the code of the request, if Meta had sent one
 */
export async function finishDeletionRequests(
  tx: Db,
  fingerprints: Fingerprints,
  now: Instant,
): Promise<string | null> {
  const query = tx.updateTable('deletionRequests').set({ finishedAt: new Date(now) });
  const finished = await query.where(isOpen(fingerprints)).returning('code').execute();
  return finished[0]?.code ?? null;
}

/** Superseded: the user logged in after the request, so nothing was deleted. */
export async function findDeletionRequest(db: Db, code: string) {
  const row = await db
    .selectFrom('deletionRequests')
    .select(['code as confirmationCode', 'requestedAt', 'finishedAt', 'superseded as isSuperseded'])
    .where('code', '=', code)
    .executeTakeFirst();
  return row ?? null;
}
