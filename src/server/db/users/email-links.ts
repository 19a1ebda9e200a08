import { sql } from 'kysely';
import { LINK_VALID_MS } from '#core/confirmation.ts';
import type { AskedKind } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import { hashSecret, newSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';

/** Whose address a link confirms. */
export interface LinkOf {
  userId: string;
  /** Null: the user's own address. */
  destinationId: string | null;
}

export type EmailLink = LinkOf & { expiresAt: Instant; addressHash: Uint8Array };

/** The token keeps the address secret: without it, addresses could be guessed from their hashes. */
function hashAddress(token: string, address: string): Uint8Array {
  return hashSecret(`${token} ${address}`);
}

/** @returns its token, which is not stored */
export async function addEmailLink(
  db: Db,
  { address, ...whose }: LinkOf & { address: string },
  now: Instant,
): Promise<string> {
  const token = newSecret();
  const hashes = { tokenHash: hashSecret(token), addressHash: hashAddress(token, address) };
  const link = { ...whose, ...hashes, expiresAt: new Date(now + LINK_VALID_MS) };
  await db.insertInto('emailLinks').values(link).execute();
  return token;
}

export async function findEmailLink(db: Db, token: string): Promise<EmailLink | null> {
  const row = await db
    .selectFrom('emailLinks')
    .select(['userId', 'destinationId', 'expiresAt', 'addressHash'])
    .where('tokenHash', '=', hashSecret(token))
    .executeTakeFirst();
  return row ?? null;
}

export function isForAddress({ addressHash }: EmailLink, token: string, address: string): boolean {
  return Buffer.from(addressHash).equals(hashAddress(token, address));
}

/**
 * The user's notifications of a kind since then: where to, and when they were asked for. Those to a deleted destination
 * count, too.
 */
export async function findAsked(
  db: Db,
  userId: string,
  { kind, since }: { kind: AskedKind; since: Instant },
): Promise<{ to: string; at: Instant }[]> {
  const { rows } = await sql<{ to: string; at: Instant }>`
    select coalesce(d.to_address, d.destination_id::text, '') as to, n.created_at as at
    from notifications n left join deliveries d on d.notification_id = n.id
    where n.user_id = ${userId} and n.kind = ${kind} and n.created_at > ${timestamp(since)}`.execute(db);
  return rows;
}

/** A link to this address is on its way. */
export async function markAsked(tx: Db, userId: string, address: string, now: Instant): Promise<void> {
  const asked = { askedEmail: address, askedAt: new Date(now) };
  await tx.updateTable('users').set(asked).where('id', '=', userId).execute();
}

/** The address works, whatever its mail server refused before. */
export async function confirmOwnAddress(tx: Db, userId: string, address: string): Promise<void> {
  const row = { confirmedEmail: address, refusals: '{}', refusedEmail: null, refusedAt: null };
  await tx.updateTable('users').set(row).where('id', '=', userId).execute();
}

export async function confirmDestination(tx: Db, id: string, now: Instant): Promise<void> {
  await tx
    .updateTable('destinations')
    .set({ verifiedAt: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/** It has another address. */
export async function unconfirmDestination(tx: Db, id: string): Promise<void> {
  await tx.updateTable('destinations').set({ verifiedAt: null }).where('id', '=', id).execute();
}

/** The mail server refuses an address of the user's own; the former version reads `refused_email`. False: that is known, or it is not their address any more. */
export async function markRefused(tx: Db, userId: string, address: string, now: Instant): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update users set refusals = refusals || jsonb_build_object(lower(${address}), ${now}::bigint),
      refused_email = ${address}, refused_at = ${timestamp(now)}
    where id = ${userId} and lower(${address}) in (lower(email), lower(confirmed_email))
      and not refusals ? lower(${address})`.execute(tx);
  return numAffectedRows > 0n;
}

/** The mail server has accepted an email to the address. */
export async function clearRefused(db: Db, userId: string, address: string): Promise<void> {
  const isFormer = sql`lower(refused_email) = lower(${address})`;
  await sql`update users set refusals = refusals - lower(${address}),
      refused_email = case when ${isFormer} then null else refused_email end,
      refused_at = case when ${isFormer} then null else refused_at end
    where id = ${userId}`.execute(db);
}
