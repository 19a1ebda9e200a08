import { sql } from 'kysely';
import { pausedText, resumedText } from '../../src/core/smartpause/activity-text.ts';
import type { Db } from '../../src/server/db/database.ts';
import { recordActivities } from '../../src/server/db/activities.ts';
import { finalizeNotification } from '../../src/server/notifications/finalize.ts';
import type { Figure } from './parts/figure.ts';
import { accountIdOf, campaignIdOf, plantRows } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';

/** Measures the database size of users, campaigns and outages, indexes included. */
const POPULATION = { users: 1000, accountsEach: 2, campaignsEach: 25 };
const CAMPAIGNS_OF_ONE = POPULATION.accountsEach * POPULATION.campaignsEach;
const CAMPAIGNS = POPULATION.users * CAMPAIGNS_OF_ONE;
/** All outages of a year are kept; a measured year had this many. */
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
        inBytes('a user, beside their campaigns', (peopled - planted) / POPULATION.users, 3000),
        inBytes(
          'a campaign paused and resumed, with notifications',
          (after - peopled) / CAMPAIGNS / OUTAGES,
          2500,
        ),
      ];
    });
  } finally {
    await database.close();
  }
}

function inBytes(what: string, measured: number, most: number): Figure {
  return {
    what: `size: ${what}`,
    measured: `${measured.toLocaleString('en', { maximumFractionDigits: 0 })} bytes`,
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
    insert into platform_token (user_id, ciphertext, key_id, saved_at, check_at)
    select id, decode(repeat(md5(id::text), 15), 'hex'), 'aaaaaaaaaaaa', ${at}, ${at} from app_user`.execute(
    db,
  );
  await sql`
    insert into session (token_hash, user_id, created_at, expires_at, last_used_at)
    select sha256((id || ' ' || n)::text::bytea), id, ${at}, ${at}, ${at}
    from app_user, generate_series(1, 3) n`.execute(db);
  await sql`
    insert into billing_customer (user_id, customer_id, request_key, sync_at)
    select id, 'cus_' || left(md5(id::text), 14), md5('key' || id), ${at} from app_user`.execute(db);
}

/** Records one outage as the product does, notifications included, and copies it for the other users. */
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
      const about = { userId: '1', accountId: accountIdOf(0), campaignId: campaignIdOf(campaign) };
      return {
        ...about,
        ...({ actor: 'smartpause', type, event: kind } as const),
        message: message.replace('@', `Campaign ${campaign}`),
      };
    });
    await recordActivities(db, acts, at.getTime());
    const mail = await db
      .selectFrom('notification')
      .select('id')
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow();
    const inAnHour = at.getTime() + 3_600_000;
    await finalizeNotification(db, mail.id, { publicUrl: 'https://smartpause.example', now: inAnHour });
  }
  const { count } = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.count<string>('finalized_at').as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) !== 2) throw new Error(`${count} mails of two were put into words`);
  await sql`
    insert into notification (user_id, kind, created_at, finalized_at, to_address, subject, text, html, attempts, sent_at)
    select app_user.id, m.kind, m.created_at, m.finalized_at, app_user.email, m.subject, m.text, m.html, 1, ${at}
    from generate_series(1, ${OUTAGES}::int) n, app_user, notification m order by n, app_user.id`.execute(db);
  await sql`delete from notification where sent_at is null`.execute(db);
  await sql`delete from activity`.execute(db);
  await sql`
    insert into hold (user_id, account_id, campaign_id, state, outcome, attempt, sent_at, created_at, read_at, paused_for,
      paused_at, ended_at)
    select user_id, account_id, campaign_id, 'ended', 'resumed', 2, ${at}, ${at}, ${at}, 'HIGH_DISRUPTION', ${at}, ${at}
    from generate_series(1, ${OUTAGES}::int), smart_pause`.execute(db);
  await sql`
    insert into activity (user_id, actor, type, message, at, account_id, campaign_id, hold_id, event, reason, notification_id)
    select h.user_id, 'smartpause', kind.type, replace(kind.message, '@', c.name), ${at}, h.account_id, h.campaign_id, h.id,
      kind.event, kind.reason, (select min(id) from notification) + h.user_id - 1
    from hold h join campaign c on c.id = h.campaign_id cross join (values
      ('pause', 'paused', ${words.paused}, 'HIGH_DISRUPTION meets MEDIUM'),
      ('resume', 'resumed', ${words.resumed}, 'UP is below MEDIUM')) kind(type, event, message, reason)`.execute(
    db,
  );
}
