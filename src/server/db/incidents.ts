import { sql } from 'kysely';
import type { IncidentState } from '#core/destinations.ts';
import { NOT_RESUMED_MS } from '#core/reconciler/refusals.ts';
import type { Instant } from '#core/time.ts';
import { areWritesBlocked } from './blocked-writes.ts';
import type { Db } from './database.ts';
import { rowsOf, timestamp } from './database.ts';

interface Incident {
  destinationId: string;
  about: string;
}

/** Their begins are written. One that is open stays as it began. */
export async function addIncidents(
  tx: Db,
  incidents: readonly (Incident & { since: Instant })[],
): Promise<void> {
  if (incidents.length === 0) return;
  const rows = incidents.map(({ since, ...one }) => ({ ...one, since: new Date(since), isOpened: false }));
  const added = tx.insertInto('incidents').values(rows);
  await added
    .onConflict((conflict) => conflict.columns(['destinationId', 'about']).doUpdateSet({ endingAt: null }))
    .execute();
}

/** Their ends are written. */
export async function markEnding(tx: Db, incidents: readonly Incident[]): Promise<void> {
  if (incidents.length === 0) return;
  await sql`update incidents set ending_at = now() from ${rowsOf({ destinationId: 'bigint', about: 'text' }, incidents)}
    where incidents.destination_id = given.destination_id and incidents.about = given.about`.execute(tx);
}

/** The receiver has answered its begin, or its end: then it is over, unless it has begun again since. */
export async function noteIncidentAnswered(
  db: Db,
  { destinationId, about, isEnd }: Incident & { isEnd: boolean },
): Promise<void> {
  const own = { destinationId, about };
  const opened = db.updateTable('incidents').set({ isOpened: !isEnd });
  await opened.where((eb) => eb.and(own)).execute();
  if (!isEnd) return;
  const ended = db.deleteFrom('incidents').where((eb) => eb.and(own));
  await ended.where('endingAt', 'is not', null).execute();
}

/** What waited is not sent: a further end of each is to be written. */
export async function keepIncidents(db: Db, destinationId: string): Promise<void> {
  const kept = db.updateTable('incidents').set({ endingAt: null });
  await kept.where('destinationId', '=', destinationId).where('endingAt', 'is not', null).execute();
}

/** At a destination, by what they are about. */
export async function findOpenIncidents(db: Db, destinationIds: readonly string[]) {
  const isOne = sql<boolean>`destination_id = any(${[...destinationIds]}::bigint[])`;
  const own = db.selectFrom('incidents').where(isOne);
  return own.select(['destinationId', 'about', 'isOpened', 'endingAt']).execute();
}

export interface OpenIncident extends Incident, Omit<IncidentState, 'access'> {
  userId: string;
  since: Instant;
}

/**
 * Without a written end, at destinations that get notifications, of users about whom all is reported.
 * @param userId null: of all users
 */
export async function findIncidents(db: Db, userId: string | null, now: Instant): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    select incidents.destination_id, d.user_id, incidents.about, incidents.since,
      exists (select from holds where user_id = u.id and state <> 'ended' and test_until is null)
        or exists (select from holds join campaigns on campaigns.id = holds.campaign_id and campaigns.status = 'PAUSED'
            and campaigns.is_listed
          where holds.user_id = u.id and decided_at >= incidents.since
            and release_reason = 'access_lost' and ended_at > ${timestamp(now - NOT_RESUMED_MS)}) as "isPaused",
      u.refusals ?| array[lower(u.email), lower(u.confirmed_email)] as "isAddressRefused",
      exists (select from signals where acts and until is null) as "isWarned",
      exists (select from destinations where user_id = u.id and state = 'disabled') as "isChannelDisabled",
      exists (select from ad_accounts a where a.user_id = u.id and ${areWritesBlocked(now)}) as "isBlocked"
    from incidents join destinations d on d.id = incidents.destination_id and d.state = 'on' join users u on u.id = d.user_id
    where incidents.ending_at is null and not exists (select from activities where user_id = u.id and pending_notification is not null)
      and ${userId === null ? sql`true` : sql`u.id = ${userId}`}`.execute(db);
  return rows;
}
