import type { Instant } from '#core/time.ts';
import type { Vault } from '../secrets.ts';
import type { Db } from './database.ts';
import { date } from './database.ts';

/** Binds the sealed token to its person: a row copied to somebody else does not open. */
export function tokenContext(personId: string): string {
  return `platform_token:${personId}`;
}

export async function saveToken(
  db: Db,
  vault: Vault,
  given: { personId: string; token: string; expiresAt: Instant | null },
  now: Instant,
): Promise<void> {
  const { sealed, keyId } = vault.seal(given.token, tokenContext(given.personId));
  const row = {
    sealed,
    key_id: keyId,
    expires_at: date(given.expiresAt),
    saved_at: new Date(now),
    refused_at: null,
    refused_reason: null,
  };
  await db
    .insertInto('platform_token')
    .values({ person_id: given.personId, ...row })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
    .execute();
}

/** The token to call the platform with; null when there is none, or the platform has refused it. */
export async function findToken(db: Db, vault: Vault, personId: string): Promise<string | null> {
  const row = await db
    .selectFrom('platform_token')
    .select(['sealed', 'key_id', 'refused_at'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined || row.refused_at !== null) return null;
  return vault.open({ sealed: row.sealed, keyId: row.key_id }, tokenContext(personId));
}

/**
 * Notes that the platform refuses the token. A token saved after `usedAt` is another one and stays.
 * False when it was noted before.
 */
export async function refuseToken(
  db: Db,
  given: { personId: string; reason: string; usedAt: Instant },
  now: Instant,
): Promise<boolean> {
  const result = await db
    .updateTable('platform_token')
    .set({ refused_at: new Date(now), refused_reason: given.reason })
    .where('person_id', '=', given.personId)
    .where('refused_at', 'is', null)
    .where('saved_at', '<=', new Date(given.usedAt))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
