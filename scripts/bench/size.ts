import { sql } from 'kysely';
import { pausedText, resumedText } from '../../src/core/smartpause/activity-text.ts';
import type { Db } from '../../src/server/db/database.ts';
import { recordActivities } from '../../src/server/db/journal.ts';
import { sealOpenMail } from '../../src/server/notifications/seal.ts';
import type { Figure } from './parts/figure.ts';
import { accountIdOf, campaignIdOf, plantRows } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';

/** What people, campaigns and outages take of the database, indexes included. */
const POPULATION = { people: 1000, accountsEach: 2, campaignsEach: 25 };
const CAMPAIGNS_OF_ONE = POPULATION.accountsEach * POPULATION.campaignsEach;
const CAMPAIGNS = POPULATION.people * CAMPAIGNS_OF_ONE;
/** All of them are kept, as are those of a year of which one was measured to have as many. */
const OUTAGES = 4;

export async function run(): Promise<Figure[]> {
  const database = await ownDatabase();
  try {
    return await database.during(async (db) => {
      const empty = await sizeOf(db);
      const at = new Date();
      await plantRows(db, POPULATION, at);
      const planted = await sizeOf(db);
      await addTokensAndSessions(db, at);
      const peopled = await sizeOf(db);
      await addOutages(db, at);
      const after = await sizeOf(db);
      return [
        inBytes('a campaign with SmartPause on', (planted - empty) / CAMPAIGNS, 1000),
        inBytes('a person, beside their campaigns', (peopled - planted) / POPULATION.people, 3000),
        inBytes('a campaign paused and resumed, and told', (after - peopled) / CAMPAIGNS / OUTAGES, 2500),
      ];
    });
  } finally {
    await database.close();
  }
}

function inBytes(what: string, measured: number, most: number): Figure {
  return {
    what: `size: ${what}`,
    measured: `${Math.round(measured).toLocaleString('en')} bytes`,
    yardstick: `limit ${most.toLocaleString('en')} bytes`,
    ratio: measured / most,
    limit: { atMost: 1 },
  };
}

async function sizeOf(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = 'public' and c.relkind = 'r'`.execute(db);
  return Number(rows[0]?.bytes);
}

async function addTokensAndSessions(db: Db, at: Date): Promise<void> {
  await sql`
    insert into platform_token (person_id, sealed, key_id, saved_at, check_at)
    select id, decode(repeat(md5(id::text), 15), 'hex'), 'aaaaaaaaaaaa', ${at}, ${at} from person`.execute(
    db,
  );
  await sql`
    insert into session (token_hash, person_id, created_at, expires_at, device, last_used_at)
    select sha256((id || ' ' || n)::text::bytea), id, ${at}, ${at}, 'Chrome on Windows', ${at}
    from person, generate_series(1, 3) n`.execute(db);
  await sql`
    insert into billing_customer (person_id, customer_id, request_key, sync_at)
    select id, 'cus_' || left(md5(id::text), 14), md5('key' || id), ${at} from person`.execute(db);
}

/** One outage as the product writes it down, to the last word of its mails; the others and everybody else's are copies. */
async function addOutages(db: Db, at: Date): Promise<void> {
  const words = {
    paused: pausedText('@', 'HIGH_DISRUPTION', 'MEDIUM'),
    resumed: resumedText('@', 'UP', false),
  };
  for (const [kind, type, message] of [
    ['paused', 'pause', words.paused],
    ['resumed', 'resume', words.resumed],
  ] as const) {
    const acts = Array.from({ length: CAMPAIGNS_OF_ONE }, (_none, campaign) => {
      const about = { personId: '1', accountId: accountIdOf(0), campaignId: campaignIdOf(campaign) };
      return {
        ...about,
        ...({ actor: 'smartpause', type, event: kind } as const),
        message: message.replace('@', `Campaign ${campaign}`),
      };
    });
    await recordActivities(db, acts, at.getTime());
    const mail = await db.selectFrom('mail').select('id').where('kind', '=', kind).executeTakeFirstOrThrow();
    const inAnHour = at.getTime() + 3_600_000;
    await sealOpenMail(db, mail.id, { publicUrl: 'https://smartpause.example', now: inAnHour });
  }
  const { count } = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.count<string>('sealed_at').as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) !== 2) throw new Error(`${count} mails of two were put into words`);
  await sql`
    insert into mail (person_id, kind, created_at, sealed_at, to_address, subject, text, html, attempts, sent_at)
    select person.id, m.kind, m.created_at, m.sealed_at, person.email, m.subject, m.text, m.html, 1, ${at}
    from generate_series(1, ${OUTAGES}::int) n, person, mail m order by n, person.id`.execute(db);
  await sql`delete from mail where sent_at is null`.execute(db);
  await sql`delete from activity`.execute(db);
  await sql`
    insert into hold (person_id, account_id, campaign_id, state, outcome, attempt, sent_at, created_at, read_at, paused_for,
      paused_at, ended_at)
    select person_id, account_id, campaign_id, 'ended', 'resumed', 2, ${at}, ${at}, ${at}, 'HIGH_DISRUPTION', ${at}, ${at}
    from generate_series(1, ${OUTAGES}::int), smart_pause`.execute(db);
  await sql`
    insert into activity (person_id, actor, type, message, at, account_id, campaign_id, hold_id, event, reason, mail_id)
    select h.person_id, 'smartpause', kind.type, replace(kind.message, '@', c.name), ${at}, h.account_id, h.campaign_id, h.id,
      kind.event, kind.reason, (select min(id) from mail) + h.person_id - 1
    from hold h join campaign c on c.id = h.campaign_id cross join (values
      ('pause', 'paused', ${words.paused}, 'HIGH_DISRUPTION meets MEDIUM'),
      ('resume', 'resumed', ${words.resumed}, 'UP is below MEDIUM')) kind(type, event, message, reason)`.execute(
    db,
  );
}
