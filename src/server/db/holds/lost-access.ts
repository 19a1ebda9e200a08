import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { handOverHolds } from './hand-over.ts';
import { addMails } from '../mails.ts';
import { findPerson } from '../users/people.ts';

export interface Access {
  personId: string;
  accountId: string;
}

/**
 * The platform lets this person no longer at the ad account. What they hold there goes to whoever else can reach it; if
 * nobody can, they are told once, since only they can do something about it.
 */
export async function loseAccess(tx: Db, lost: Access, now: Instant): Promise<void> {
  const { personId, accountId } = lost;
  await tx
    .updateTable('ad_account')
    .set({ lost_at: new Date(now) })
    .where('person_id', '=', personId)
    .where('id', '=', accountId)
    .where('lost_at', 'is', null)
    .execute();
  await handOverHolds(tx, lost, now);
  const stranded = await findOldestStranded(tx, lost);
  if (stranded === null) return;
  const person = await findPerson(tx, personId);
  // Whoever is leaving hears of it in the farewell.
  if (person?.leaving !== null) return;
  const event = `account:${accountId}:${stranded}`;
  await addMails(tx, { personIds: [personId], kind: 'account_lost', event }, now);
}

async function findOldestStranded(tx: Db, { personId, accountId }: Access): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from hold where person_id = ${personId} and account_id = ${accountId}
      and state <> 'ended' and paused_at is not null and resumed_at is null`.execute(tx);
  return rows[0]?.id ?? null;
}

export async function regainAccess(tx: Db, { personId, accountId }: Access): Promise<void> {
  await tx
    .updateTable('ad_account')
    .set({ lost_at: null })
    .where('person_id', '=', personId)
    .where('id', '=', accountId)
    .execute();
}
