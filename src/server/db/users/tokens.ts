import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import { staleFrom } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import { days, earliest } from '#core/time.ts';
import type { Sealed, Vault } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { date, instant } from '../database.ts';
import { handOverHolds } from '../holds/hand-over.ts';
import { recordActivities } from '../journal.ts';
import { makeDueForPerson } from '../lanes.ts';
import { addMails } from '../mails.ts';
import { findPerson } from './people.ts';

/** Binds the sealed token to its person: a row copied to somebody else does not open. */
export function tokenContext(personId: string): string {
  return `platform_token:${personId}`;
}

const CHECK_EVERY_MS = days(1);

/** At least daily, and at the moments at which a token becomes stale and ends. */
function nextCheckAt(expiresAt: Instant | null, now: Instant): Instant {
  const turns = expiresAt === null ? [] : [staleFrom(expiresAt), expiresAt].filter((at) => at > now);
  return earliest([now + CHECK_EVERY_MS, ...turns]) ?? now;
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
    check_at: new Date(nextCheckAt(given.expiresAt, now)),
  };
  await db
    .insertInto('platform_token')
    .values({ person_id: given.personId, ...row })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
    .execute();
}

/** The token to call the platform with; null when there is none, nobody can open it, or the platform has refused it. */
export async function findToken(db: Db, vault: Vault, personId: string): Promise<string | null> {
  const row = await db
    .selectFrom('platform_token')
    .select(['sealed', 'key_id', 'refused_at'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined || row.refused_at !== null) return null;
  return vault.open({ sealed: row.sealed, keyId: row.key_id }, tokenContext(personId));
}

/** Also one that the platform has refused: what is left of its permissions can still be revoked. */
export async function findTokenToRevoke(db: Db, vault: Vault, personId: string): Promise<string | null> {
  const row = await db
    .selectFrom('platform_token')
    .select(['sealed', 'key_id', 'refused_reason'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined || row.refused_reason === REMOVED_ON_META) return null;
  return vault.open({ sealed: row.sealed, keyId: row.key_id }, tokenContext(personId));
}

/** What is known of a person's token, without the token. */
export interface TokenFacts {
  expiresAt: Instant | null;
  savedAt: Instant;
  isRefused: boolean;
  /** What opens it. */
  keyId: string;
}

export async function findTokenFacts(db: Db, personId: string): Promise<TokenFacts | null> {
  return (await findFactsOfTokens(db, [personId]))[0] ?? null;
}

/** In the order of the people. */
export async function findFactsOfTokens(
  db: Db,
  personIds: readonly string[],
): Promise<(TokenFacts | null)[]> {
  const rows = await db
    .selectFrom('platform_token')
    .select(['person_id', 'expires_at', 'saved_at', 'refused_at', 'key_id'])
    .where(sql<SqlBool>`person_id = any(${personIds}::bigint[])`)
    .execute();
  const found = new Map(
    rows.map((row) => [
      row.person_id,
      {
        expiresAt: instant(row.expires_at),
        savedAt: instant(row.saved_at),
        isRefused: row.refused_at !== null,
        keyId: row.key_id,
      },
    ]),
  );
  return personIds.map((id) => found.get(id) ?? null);
}

/** What a check can find; during an outage of the login it proves little. */
export const NO_LONGER_VALID = 'no longer valid';

/** Said by Meta itself, so no outage casts doubt on it. */
export const REMOVED_ON_META = 'removed on Meta';

export interface TokenRefusal {
  personId: string;
  reason: string;
  /** A token saved after that is another one, and stays. */
  usedAt: Instant;
}

/** Notes that the platform refuses the token, and tells its person once. */
export async function refuseToken(tx: Db, refusal: TokenRefusal, now: Instant): Promise<void> {
  const savedAt = await markRefused(tx, refusal, now);
  if (savedAt === null) return;
  const { personId, reason } = refusal;
  await makeDueForPerson(tx, personId, now);
  await handOverHolds(tx, { personId }, now);
  const message = 'Meta no longer accepts our access. Log in again to let SmartPause go on.';
  const activity = {
    personId,
    actor: 'meta',
    type: 'other',
    event: 'token_refused',
    message,
    reason,
  } as const;
  await recordActivities(tx, [activity], now);
  const person = await findPerson(tx, personId);
  // Whoever is leaving need not log in again.
  if (person?.leaving !== null) return;
  await addMails(tx, { personIds: [personId], kind: 'token_expired', event: tokenEvent(savedAt) }, now);
}

/** The same without telling: whoever took our access away knows. Answers when the token had been saved. */
export async function markRefused(tx: Db, refusal: TokenRefusal, now: Instant): Promise<Instant | null> {
  const row = await tx
    .updateTable('platform_token')
    .set({ refused_at: new Date(now), refused_reason: refusal.reason })
    .where('person_id', '=', refusal.personId)
    .where('refused_at', 'is', null)
    .where('saved_at', '<=', new Date(refusal.usedAt))
    .returning('saved_at')
    .executeTakeFirst();
  return row === undefined ? null : instant(row.saved_at);
}

/** Tells once that this token will end soon. */
export async function tellStale(
  tx: Db,
  token: { personId: string; savedAt: Instant },
  now: Instant,
): Promise<void> {
  const { personId, savedAt } = token;
  await addMails(tx, { personIds: [personId], kind: 'token_stale', event: tokenEvent(savedAt) }, now);
}

/** Names the very token that a mail is about. */
export function tokenEvent(savedAt: Instant): string {
  return `token:${savedAt}`;
}

export interface TokenToCheck {
  personId: string;
  sealed: Sealed;
  expiresAt: Instant | null;
  savedAt: Instant;
}

/** Takes tokens that are due to be checked, for a while; nobody else takes them until then. */
export async function claimTokensToCheck(
  db: Db,
  limit: number,
  leaseUntil: Instant,
  now: Instant,
): Promise<TokenToCheck[]> {
  const { rows } = await sql<{
    person_id: string;
    sealed: Uint8Array;
    key_id: string;
    expires_at: Date | null;
    saved_at: Date;
  }>`
    update platform_token set check_at = ${new Date(leaseUntil)}::timestamptz
    where person_id = any(array(
      select person_id from platform_token where refused_at is null and check_at <= ${new Date(now)}::timestamptz
      order by check_at limit ${limit} for update skip locked))
    returning person_id, sealed, key_id, expires_at, saved_at`.execute(db);
  return rows.map((row) => ({
    personId: row.person_id,
    sealed: { sealed: row.sealed, keyId: row.key_id },
    expiresAt: instant(row.expires_at),
    savedAt: instant(row.saved_at),
  }));
}

/** The platform has said when this token ends. One saved in the meantime is another one: then it answers false. */
export async function noteTokenEnd(
  tx: Db,
  token: { personId: string; savedAt: Instant; expiresAt: Instant | null },
  now: Instant,
): Promise<boolean> {
  const result = await tx
    .updateTable('platform_token')
    .set({ expires_at: date(token.expiresAt), check_at: new Date(nextCheckAt(token.expiresAt, now)) })
    .where('person_id', '=', token.personId)
    .where('saved_at', '=', new Date(token.savedAt))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The platform has just refused this token to somebody: what it is worth is asked now, not tomorrow. */
export async function suspectToken(db: Db, personId: string, now: Instant): Promise<void> {
  await suspectTokens(db, [personId], now);
}

/** Whoever needs lanes as well does this first: a token that is refused is locked before its person's lanes. */
export async function suspectTokens(db: Db, personIds: readonly string[], now: Instant): Promise<void> {
  if (personIds.length === 0) return;
  await sql`
    with locked as materialized (
      select person_id from platform_token
      where person_id = any(${[...new Set(personIds)]}::bigint[]) and refused_at is null
      order by person_id for update)
    update platform_token set check_at = ${new Date(now)}::timestamptz
    from locked where platform_token.person_id = locked.person_id`.execute(db);
}

/** Refusals since then may have been the platform's own trouble: the tokens count again until they are checked anew. */
export async function doubtRefusals(db: Db, since: Instant, now: Instant): Promise<void> {
  await db
    .updateTable('platform_token')
    .set({ refused_at: null, refused_reason: null, check_at: new Date(now) })
    .where('refused_at', '>=', new Date(since))
    .where('refused_reason', '=', NO_LONGER_VALID)
    .execute();
}

/** A token that nobody can open any more: its key is not there, or the row is not what was sealed with it. */
export interface LostToken {
  personId: string;
  keyId: string;
}

/** Seals anew what an older key has sealed, so that that key may go. Answers how many tokens, and which are lost. */
export async function resealTokens(db: Db, vault: Vault): Promise<{ count: number; lost: LostToken[] }> {
  const rows = await db
    .selectFrom('platform_token')
    .select(['person_id', 'sealed', 'key_id'])
    .where('key_id', '<>', vault.keyId)
    .execute();
  const lost: LostToken[] = [];
  for (const { person_id: personId, sealed: before, key_id: oldKeyId } of rows) {
    const context = tokenContext(personId);
    const token = vault.open({ sealed: before, keyId: oldKeyId }, context);
    if (token === null) {
      lost.push({ personId, keyId: oldKeyId });
      continue;
    }
    const { sealed, keyId } = vault.seal(token, context);
    // One saved in the meantime is another one, and sealed with the newest key.
    await db
      .updateTable('platform_token')
      .set({ sealed, key_id: keyId })
      .where('person_id', '=', personId)
      .where('sealed', '=', before)
      .execute();
  }
  return { count: rows.length - lost.length, lost };
}

/** Tokens that wait for their people, since the key they need is none of these. */
export async function countClosedTokens(db: Db, keyIds: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('platform_token')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('refused_at', 'is', null)
    .where('key_id', 'not in', keyIds)
    .executeTakeFirstOrThrow();
  return Number(count);
}
