import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { MailKind } from '#core/mails.ts';
import { MAIL_KINDS, SETTLE_MS } from '#core/mails.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { date, inTransaction, instant } from './database.ts';
import type { Schema } from './schema.ts';

/** The words of a mail: they stand from the moment it is sealed, however often it must be sent. */
export interface SealedWords {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface OutboxMail {
  id: string;
  personId: string | null;
  kind: MailKind;
  /** What a mail that is written once is about, such as 'token:…'; null for those that acts join. */
  event: string | null;
  createdAt: Instant;
  attempts: number;
  /** Null: acts may still join it. */
  words: SealedWords | null;
}

const kind = z.enum(MAIL_KINDS);

function toMail(row: Selectable<Schema['mail']>): OutboxMail {
  const { to_address: to, subject, text, html } = row;
  const isSealed = to !== null && subject !== null && text !== null && html !== null;
  return {
    id: row.id,
    personId: row.person_id,
    kind: kind.parse(row.kind),
    event: row.event,
    createdAt: instant(row.created_at),
    attempts: row.attempts,
    words: isSealed ? { to, subject, text, html } : null,
  };
}

/**
 * The open mails of these people and kinds, begun where there is none. Their rows stay locked until the
 * transaction's end, so no mail is sealed between an act and the line that tells of it.
 * @returns ids by 'person kind'
 */
export async function openMails(
  tx: Db,
  wanted: readonly { personId: string; kind: MailKind }[],
  now: Instant,
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const distinct = [...new Map(wanted.map((one) => [`${one.personId} ${one.kind}`, one])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
  const { rows } = await sql<{ id: string; person_id: string; kind: string }>`
    insert into mail (person_id, kind, created_at, due_at)
    select person.id, wanted.kind, ${new Date(now)}::timestamptz, ${new Date(now + SETTLE_MS)}::timestamptz
    from unnest(${distinct.map((one) => one.personId)}::bigint[], ${distinct.map((one) => one.kind)}::text[])
      with ordinality as wanted(person_id, kind, n)
    join person on person.id = wanted.person_id order by wanted.n
    on conflict (person_id, kind) where sealed_at is null and event is null
      do update set due_at = mail.due_at
    returning id, person_id, kind`.execute(tx);
  return new Map(rows.map((row) => [`${row.person_id} ${row.kind}`, row.id]));
}

/** One email for each stretch of UNKNOWN, which is named by its start. */
export function unknownEvent(since: Instant): string {
  return `unknown:${since}`;
}

/** Mails that are written once for what they are about, however often that is noticed. */
export async function addMails(
  tx: Db,
  mails: { personIds: readonly string[]; kind: MailKind; event: string },
  now: Instant,
): Promise<void> {
  if (mails.personIds.length === 0) return;
  const at = new Date(now);
  await sql`
    insert into mail (person_id, kind, event, created_at, due_at)
    select person_id, ${mails.kind}, ${mails.event}, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${[...mails.personIds]}::bigint[]) as concerned(person_id)
    on conflict (person_id, kind, event) where event is not null do nothing`.execute(tx);
}

/**
 * Takes due mails for a while: whoever takes them and dies leaves them to others when the lease ends. With a mail come
 * the earlier ones to the same person that wait for their next try, so that mails do not overtake each other; and while
 * somebody else is just sending an earlier one, a later one waits.
 */
export async function claimDueMails(
  db: Db,
  limit: number,
  leaseUntil: Instant,
  now: Instant,
): Promise<OutboxMail[]> {
  const at = new Date(now);
  const { rows } = await sql<Selectable<Schema['mail']>>`
    with due as (
      select id, person_id, to_address from mail m
      where due_at <= ${at}::timestamptz and (lease_until is null or lease_until <= ${at}::timestamptz)
        and not exists (select from mail earlier where ${isEarlier}
          and earlier.due_at is not null and earlier.lease_until > ${at}::timestamptz)
      order by due_at, id limit ${limit}
    ), taken as (
      select m.id from mail m
      where (m.lease_until is null or m.lease_until <= ${at}::timestamptz) and (
        m.id in (select id from due)
        or m.due_at is not null and m.sealed_at is not null and exists (
          select from due where m.id < due.id and (m.person_id = due.person_id or m.to_address = due.to_address)))
      for update skip locked
    )
    update mail set lease_until = ${new Date(leaseUntil)}::timestamptz where id in (select id from taken)
    returning *`.execute(db);
  return rows.map(toMail);
}

const isEarlier = sql`earlier.id < m.id and (earlier.person_id = m.person_id or earlier.to_address = m.to_address)`;

/** Locks a mail that has no words for sealing: an open one, or one that was given up; null when it has words, or is gone. */
export async function lockWordless(tx: Db, id: string): Promise<OutboxMail | null> {
  const row = await tx
    .selectFrom('mail')
    .selectAll()
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('sealed_at', 'is', null), eb.and([eb('text', 'is', null), eb('due_at', 'is not', null)])]),
    )
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toMail(row);
}

export async function findOpenMails(tx: Db, personId: string): Promise<OutboxMail[]> {
  const rows = await tx
    .selectFrom('mail')
    .selectAll()
    .where('person_id', '=', personId)
    .where('sealed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(toMail);
}

export async function sealMail(tx: Db, id: string, words: SealedWords, now: Instant): Promise<void> {
  const { to, ...rest } = words;
  await tx
    .updateTable('mail')
    .set({ ...rest, to_address: to, sealed_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/** A mail that is worded from the start. Without a person nothing of it is kept once it is sent. */
export async function addFarewell(
  tx: Db,
  mail: { personId: string | null; kind: MailKind; words: SealedWords },
  now: Instant,
): Promise<string> {
  const { personId: person_id, kind: mailKind } = mail;
  const { to: to_address, ...words } = mail.words;
  const at = new Date(now);
  const row = await tx
    .insertInto('mail')
    .values({ person_id, kind: mailKind, created_at: at, due_at: at, sealed_at: at, to_address, ...words })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** @param until null: not by itself any more */
export async function postponeMail(db: Db, id: string, until: Instant | null): Promise<void> {
  await db
    .updateTable('mail')
    .set({ due_at: date(until), lease_until: null })
    .where('id', '=', id)
    .execute();
}

/** Nothing to tell, or nobody to tell it to. */
export async function dropMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mail').where('id', '=', id).execute();
}

/** What was sent need not be kept, and of somebody who is gone nothing is. */
export async function markSent(db: Db, mail: OutboxMail, now: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('mail')
      .set({ ...DONE, sent_at: new Date(now), attempts: mail.attempts + 1, last_error: null })
      .where('id', '=', mail.id)
      .execute();
    await dropMailsOfNobody(tx);
  });
}

/** @param retryAt null: it is given up */
export async function markFailed(
  db: Db,
  mail: OutboxMail,
  failure: { error: string; retryAt: Instant | null },
  now: Instant,
): Promise<void> {
  const { error, retryAt } = failure;
  const next = retryAt === null ? { ...DONE, failed_at: new Date(now) } : { due_at: new Date(retryAt) };
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('mail')
      .set({ ...next, attempts: mail.attempts + 1, last_error: error, lease_until: null })
      .where('id', '=', mail.id)
      .execute();
    await dropMailsOfNobody(tx);
  });
}

const DONE = { due_at: null, lease_until: null, text: null, html: null } as const;

/** Their person is gone, and there is nothing left to do with them. */
export async function dropMailsOfNobody(db: Db): Promise<void> {
  await db.deleteFrom('mail').where('person_id', 'is', null).where('due_at', 'is', null).execute();
}

/** That somebody was written to need not be known for ever. */
export async function dropOldMails(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('due_at', 'is', null)
    .where('created_at', '<', new Date(before))
    .execute();
}

/** Whether a mail of that kind went to the person since then: this one would be a later one. */
export async function hasSealedSince(
  tx: Db,
  given: { personId: string; kind: MailKind; since: Instant },
): Promise<boolean> {
  const row = await tx
    .selectFrom('mail')
    .select('id')
    .where('person_id', '=', given.personId)
    .where('kind', '=', given.kind)
    .where('sealed_at', '>=', new Date(given.since))
    .executeTakeFirst();
  return row !== undefined;
}

/** The last time a mail of that kind was sealed for the person. */
export async function lastSealedAt(tx: Db, personId: string, mailKind: MailKind): Promise<Instant | null> {
  const row = await tx
    .selectFrom('mail')
    .select((eb) => eb.fn.max('sealed_at').as('at'))
    .where('person_id', '=', personId)
    .where('kind', '=', mailKind)
    .executeTakeFirst();
  return instant(row?.at ?? null);
}
