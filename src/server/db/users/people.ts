import { sql } from 'kysely';
import { z } from 'zod';
import { resumeSettings } from '#contract/shapes.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_RESUME } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import type { ThresholdEdit } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, instant } from '../database.ts';
import type { Schema } from '../schema.ts';
import type { Selectable } from 'kysely';

export interface Person {
  id: string;
  platformUserId: string;
  name: string;
  email: string | null;
  roles: string[];
  isInitialized: boolean;
  threshold: Threshold;
  resume: ResumeSettings;
  thresholdEdit: ThresholdEdit | null;
  leaving: Leaving | null;
  loggedInAt: Instant;
}

/** What of a person decides when their campaigns are paused and resumed. */
export type Choices = Pick<Person, 'threshold' | 'resume' | 'thresholdEdit' | 'leaving'>;

export function choicesOf({ threshold, resume, thresholdEdit, leaving }: Person): Choices {
  return { threshold, resume, thresholdEdit, leaving };
}

/** The choices of these people, which stay so until the transaction's end. */
export async function keepChoices(tx: Db, personIds: readonly string[]): Promise<Map<string, Choices>> {
  const rows = await tx
    .selectFrom('person')
    .selectAll()
    .where('id', 'in', [...new Set(personIds)])
    .orderBy('id')
    .forShare()
    .execute();
  return new Map(rows.map((row) => [row.id, choicesOf(toPerson(row))]));
}

/** Somebody is giving up their authorization, or their account. */
export interface Leaving {
  how: 'deauthorize' | 'delete';
  since: Instant;
  by: 'person' | 'meta';
  /** How often the platform has not let us finish. */
  failures: number;
}

const threshold = z.enum(THRESHOLDS);

export function toPerson(row: Selectable<Schema['person']>): Person {
  return {
    id: row.id,
    platformUserId: row.platform_user_id,
    name: row.name,
    email: row.email,
    roles: row.roles,
    isInitialized: row.initialized_at !== null,
    threshold: threshold.parse(row.threshold),
    resume: resumeSettings.parse(row.resume_settings),
    thresholdEdit: toThresholdEdit(row),
    leaving: toLeaving(row),
    loggedInAt: instant(row.logged_in_at),
  };
}

function toThresholdEdit(row: Selectable<Schema['person']>): ThresholdEdit | null {
  if (row.threshold_edited_at === null) return null;
  return { matchEndedAt: instant(row.match_ended_at), matchSince: instant(row.match_since_at_edit) };
}

function toLeaving(row: Selectable<Schema['person']>): Leaving | null {
  if (row.leaving === null) return null;
  return {
    how: row.leaving,
    since: instant(row.leaving_at) ?? 0,
    by: row.leaving_by ?? 'person',
    failures: row.leaving_failures,
  };
}

/** The person of a platform user: known by that id, with the name and address the platform gives now. */
export async function savePerson(
  db: Db,
  user: { id: string; name: string; email: string | null; roles: string[] },
  now: Instant,
): Promise<Person & { isNew: boolean }> {
  const row = await db
    .insertInto('person')
    .values({
      platform_user_id: user.id,
      name: user.name,
      email: user.email,
      roles: user.roles,
      resume_settings: JSON.stringify(DEFAULT_RESUME),
      logged_in_at: new Date(now),
      created_at: new Date(now),
    })
    .onConflict((conflict) =>
      conflict.column('platform_user_id').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        email: eb.fn.coalesce('person.email', 'excluded.email'),
        logged_in_at: eb.ref('excluded.logged_in_at'),
        roles: sql`(select array(select distinct unnest(person.roles || excluded.roles)))`,
      })),
    )
    .returningAll()
    .returning(sql<boolean>`(xmax = 0)`.as('is_new'))
    .executeTakeFirstOrThrow();
  return { ...toPerson(row), isNew: row.is_new };
}

export async function findPerson(db: Db, personId: string): Promise<Person | null> {
  const row = await db.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const { rows } = await sql<Selectable<Schema['person']>>`
    select * from person where id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, toPerson(row)]));
}

export async function saveSettings(
  db: Db,
  personId: string,
  settings: {
    threshold: Threshold;
    resume: ResumeSettings;
    email: string;
    thresholdEdit: ThresholdEdit | null;
  },
  now: Instant,
): Promise<void> {
  await db
    .updateTable('person')
    .set({
      threshold: settings.threshold,
      resume_settings: JSON.stringify(settings.resume),
      email: settings.email,
      threshold_edited_at: sql`case when threshold = ${settings.threshold} then threshold_edited_at
        else ${new Date(now)}::timestamptz end`,
      match_ended_at: date(settings.thresholdEdit?.matchEndedAt ?? null),
      match_since_at_edit: date(settings.thresholdEdit?.matchSince ?? null),
    })
    .where('id', '=', personId)
    .execute();
}

/** False when the person was initialized already. */
export async function markInitialized(db: Db, personId: string, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('person')
    .set({ initialized_at: new Date(now) })
    .where('id', '=', personId)
    .where('initialized_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Locks the person's row, so that two decisions about one person come one after the other. */
export async function lockPerson(db: Db, personId: string): Promise<Person | null> {
  const row = await db
    .selectFrom('person')
    .selectAll()
    .where('id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

/**
 * They stay until the transaction's end, so that rows can refer to them. Whoever needs lanes as well asks for this
 * first: settings are saved with the person's row locked, a token is refused with its row locked, and then the lanes are
 * made due. The order is people, tokens, lanes.
 */
export async function keepPeople(tx: Db, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return;
  await sql`select from person where id = any(${[...new Set(personIds)]}::bigint[]) order by id for key share`.execute(
    tx,
  );
}

/** Asking again changes nothing, and a deletion that is under way stays one. */
export async function markLeaving(
  db: Db,
  personId: string,
  { how, since, by }: Omit<Leaving, 'failures'>,
): Promise<void> {
  await db
    .updateTable('person')
    .set({
      leaving: how,
      leaving_at: sql`coalesce(leaving_at, ${new Date(since)}::timestamptz)`,
      leaving_by: by,
      leaving_failures: 0,
      leaving_retry_at: null,
      leaving_error: null,
    })
    .where('id', '=', personId)
    .where((eb) => eb.or([eb('leaving', 'is', null), eb('leaving', '<>', 'delete')]))
    .execute();
}

const NOT_LEAVING = {
  leaving: null,
  leaving_at: null,
  leaving_by: null,
  leaving_failures: 0,
  leaving_retry_at: null,
  leaving_error: null,
} as const;

/** Whoever comes back while their authorization is being revoked wants to stay. */
export async function stopLeaving(db: Db, personId: string): Promise<void> {
  await db
    .updateTable('person')
    .set(NOT_LEAVING)
    .where('id', '=', personId)
    .where('leaving', '=', 'deauthorize')
    .execute();
}

export async function findPersonOfPlatformUser(db: Db, platformUserId: string): Promise<Person | null> {
  const row = await db
    .selectFrom('person')
    .selectAll()
    .where('platform_user_id', '=', platformUserId)
    .executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

/** Whoever is leaving and may be gone on with now, those first who have waited longest. */
export async function findLeaving(db: Db, now: Instant): Promise<Person[]> {
  const rows = await db
    .selectFrom('person')
    .selectAll()
    .where('leaving', 'is not', null)
    .where((eb) => eb.or([eb('leaving_retry_at', 'is', null), eb('leaving_retry_at', '<=', new Date(now))]))
    .orderBy('leaving_at')
    .execute();
  return rows.map(toPerson);
}

/** The platform, or Stripe, has not let us finish. */
export async function postponeLeaving(
  db: Db,
  personId: string,
  { retryAt, error }: { retryAt: Instant; error: string },
): Promise<void> {
  await db
    .updateTable('person')
    .set((eb) => ({
      leaving_failures: eb('leaving_failures', '+', 1),
      leaving_retry_at: new Date(retryAt),
      leaving_error: error,
    }))
    .where('id', '=', personId)
    .where('leaving', 'is not', null)
    .execute();
}

/** Takes back what a deauthorized person had set up; who they are stays, until they delete it. */
export async function forgetAuthorization(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('session').where('person_id', '=', personId).execute();
  await db.deleteFrom('platform_token').where('person_id', '=', personId).execute();
  await db.deleteFrom('smart_pause').where('person_id', '=', personId).execute();
  await db.deleteFrom('ad_account').where('person_id', '=', personId).execute();
  await db
    .updateTable('person')
    .set({ ...NOT_LEAVING, initialized_at: null })
    .where('id', '=', personId)
    .execute();
}

/** Everything that is stored of a person goes with the row; mails that are not sent yet still go out. */
export async function deletePerson(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('mail').where('person_id', '=', personId).where('due_at', 'is', null).execute();
  await db.deleteFrom('person').where('id', '=', personId).execute();
}
