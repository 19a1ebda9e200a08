import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';

export interface DeletionRequest {
  code: string;
  requestedAt: Instant;
  finishedAt: Instant | null;
  /** They had logged in again after asking, so nothing was deleted. */
  isSuperseded: boolean;
}

/**
 * Notes a deletion that the platform asked for. The same request, or another one while it is open, is the same deletion.
 * @param request.fingerprints of the platform's user, the newest key's first
 * @param request.outcome null: it is to be carried out
 */
export async function noteDeletionRequest(
  tx: Db,
  request: {
    code: string;
    fingerprints: readonly Uint8Array[];
    outcome: 'nothing_to_delete' | 'superseded' | null;
  },
  now: Instant,
): Promise<string> {
  const [newest] = request.fingerprints;
  if (newest === undefined) throw new Error('a deletion request needs a fingerprint of the user');
  const known = await tx
    .selectFrom('deletion_request')
    .select('code')
    .where((eb) =>
      eb.or([
        eb('code', '=', request.code),
        eb.and([
          eb('platform_user_hash', 'in', request.fingerprints),
          eb('finished_at', 'is', null),
          eb('superseded', '=', false),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (known !== undefined) return known.code;
  await tx
    .insertInto('deletion_request')
    .values({
      code: request.code,
      platform_user_hash: newest,
      requested_at: new Date(now),
      finished_at: request.outcome === 'nothing_to_delete' ? new Date(now) : null,
      superseded: request.outcome === 'superseded',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return request.code;
}

/** The account is gone. Answers the code under which the platform had asked for it, if it had. */
export async function finishDeletionRequests(
  tx: Db,
  fingerprints: readonly Uint8Array[],
  now: Instant,
): Promise<string | null> {
  const finished = await tx
    .updateTable('deletion_request')
    .set({ finished_at: new Date(now) })
    .where('platform_user_hash', 'in', fingerprints)
    .where('finished_at', 'is', null)
    .where('superseded', '=', false)
    .returning('code')
    .execute();
  return finished[0]?.code ?? null;
}

export async function findDeletionRequest(db: Db, code: string): Promise<DeletionRequest | null> {
  const row = await db.selectFrom('deletion_request').selectAll().where('code', '=', code).executeTakeFirst();
  if (row === undefined) return null;
  return {
    code: row.code,
    requestedAt: instant(row.requested_at),
    finishedAt: instant(row.finished_at),
    isSuperseded: row.superseded,
  };
}
