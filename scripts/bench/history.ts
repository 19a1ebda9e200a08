import { sql } from 'kysely';
import type { Db } from '../../src/server/db/database.ts';
import type { User } from '../../src/server/db/users/users.ts';
import { findUsers } from '../../src/server/db/users/users.ts';
import { getCampaignHistory } from '../../src/server/services/history/campaign-history.ts';
import { getOutage, getOutages } from '../../src/server/services/history/outages.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, median } from './parts/figure.ts';
import { campaignIdOf, plantRows } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';

/** One advertiser opens 400 days of history: each call beside a bare query on the same tables. */
const POPULATION = { users: 1, accountsEach: 5, campaignsEach: 1000 };
const CAMPAIGNS = 5000;
const OUTAGES = 200;
/** So many outages met the threshold and paused every campaign; in the others none was paused, for reasons of its own. */
const PAUSING = 20;
const DAYS = 399;
const REPETITIONS = 9;
const LIMIT_MS = 300;

export async function run(): Promise<Figure[]> {
  const database = await ownDatabase();
  try {
    return await database.during(async (db) => {
      const now = Date.now();
      await plantRows(db, POPULATION, new Date(now));
      await plantHistory(db, now);
      const [user] = [...(await findUsers(db, [await onlyUser(db)])).values()];
      if (user === undefined) throw new Error('no user');
      return await measure(db, user, now);
    });
  } finally {
    await database.close();
  }
}

async function onlyUser(db: Db): Promise<string> {
  return (await db.selectFrom('app_user').select('id').executeTakeFirstOrThrow()).id;
}

async function plantHistory(db: Db, now: number): Promise<void> {
  const first = new Date(now - DAYS * 86_400_000);
  await sql`update app_user set created_at = ${first}, initialized_at = ${first}`.execute(db);
  await sql`
    insert into outage (started_at, ended_at, recorded_at, peak, levels)
    select at, at + interval '2 hours', at + interval '2 hours 10 seconds', 'HIGH_DISRUPTION',
      jsonb_build_array(jsonb_build_object('level', 'HIGH_DISRUPTION', 'at', extract(epoch from at) * 1000),
        jsonb_build_object('level', 'UP', 'at', extract(epoch from at + interval '2 hours') * 1000))
    from (select ${first}::timestamptz + n * interval '1 day' * ${DAYS / OUTAGES} as at from generate_series(0, ${OUTAGES - 1}) n) t
    order by at`.execute(db);
  await sql`
    insert into hold (user_id, account_id, campaign_id, state, outcome, attempt, created_at, paused_for, paused_threshold,
      pause_sent_at, paused_at, resume_sent_at, resumed_at, ended_at)
    select u.id, c.account_id, c.id, 'ended', 'resumed', 2, o.started_at + interval '1 second', 'HIGH_DISRUPTION', 'MEDIUM',
      o.started_at + interval '1 second', o.started_at + interval '2 seconds', o.ended_at, o.ended_at, o.ended_at
    from outage o cross join app_user u cross join campaign c where o.id > ${OUTAGES - PAUSING} order by o.id, c.id`.execute(
    db,
  );
  await sql`
    insert into activity (user_id, type, message, at, account_id, campaign_id, hold_id, event, actor)
    select user_id, event, 'It was ' || event, case event when 'pause' then paused_at else ended_at end, account_id,
      campaign_id, id, event || 'd', 'smartpause'
    from hold cross join (values ('pause'), ('resume')) e(event) order by id`.execute(db);
  await sql`
    insert into outage_user (outage_id, user_id, threshold, not_paused)
    select o.id, u.id, 'MEDIUM', case when o.id > ${OUTAGES - PAUSING} then '{}'::jsonb else
      (select jsonb_object_agg(c.id, 'already_paused') from campaign c) end
    from outage o cross join app_user u`.execute(db);
  // The last one is open: its reasons are computed for each call.
  await sql`
    insert into outage (started_at, peak, levels)
    select ${new Date(now)}::timestamptz - interval '1 hour', 'HIGH_DISRUPTION', levels from outage where id = 1`.execute(
    db,
  );
  await sql`update smart_pause set setting = 'OFF'`.execute(db);
  await sql`
    insert into platform_token (user_id, ciphertext, key_id, saved_at, check_at)
    select id, '', 'none', created_at, created_at from app_user`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function measure(db: Db, user: User, now: number): Promise<Figure[]> {
  const deps = { db, clock: { now: () => now } };
  const campaignId = campaignIdOf(0);
  const about = {
    user_id: user.id,
    campaign_id: campaignId,
  };
  const paused = String(OUTAGES);
  const calls: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'GET /api/outages',
      () => getOutages(deps, user, {}),
      () => sql`select * from outage order by id desc limit 21`.execute(db),
    ],
    [
      'GET /api/outages/{id}, 5,000 campaigns paused',
      () => getOutage(deps, user, { id: paused }),
      () =>
        sql`select * from hold where user_id = ${about.user_id} order by created_at desc limit 101`.execute(
          db,
        ),
    ],
    [
      'GET /api/outages/{id}, 5,000 campaigns not paused',
      () => getOutage(deps, user, { id: '1' }),
      () => sql`select not_paused from outage_user where outage_id = 1`.execute(db),
    ],
    [
      'GET /api/outages/{id}, open, 5,000 campaigns not paused',
      () => getOutage(deps, user, { id: String(OUTAGES + 1) }),
      () => sql`select * from campaign`.execute(db),
    ],
    [
      'GET /api/campaigns/{id}/history',
      () => getCampaignHistory(deps, user, { id: campaignId }),
      () =>
        sql`select * from activity where campaign_id = ${about.campaign_id} order by at desc limit 51`.execute(
          db,
        ),
    ],
  ];
  const figures: Figure[] = [];
  for (const [what, call, bare] of calls) {
    const took = await timesOf(call);
    const floor = await timesOf(bare);
    figures.push({
      what: `${what}, ${OUTAGES} outages in 400 days, ${CAMPAIGNS.toLocaleString('en')} campaigns`,
      measured: inMs(took),
      yardstick: `limit ${inMs(LIMIT_MS)}; a bare query takes ${inMs(floor)}`,
      ratio: took / LIMIT_MS,
      limit: { atMost: 1 },
    });
  }
  return figures;
}

/** The median, after one call that fills the caches. */
async function timesOf(call: () => Promise<unknown>): Promise<number> {
  await call();
  const took: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const began = performance.now();
    await call();
    took.push(performance.now() - began);
  }
  return median(took);
}
