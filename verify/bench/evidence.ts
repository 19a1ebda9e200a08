import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { takeNoArguments } from '../../scripts/arguments.ts';
import { silent } from '../../scripts/command.ts';
import type { Figure } from '../../scripts/figures.ts';
import { printFigures } from '../../scripts/figures.ts';
import { systemClock } from '../../src/server/clock.ts';
import { createDb } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/all.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { findUsers } from '../../src/server/db/users/users.ts';
import { evidenceCsv } from '../../src/server/http/evidence/csv.ts';
import { evidenceDocument } from '../../src/server/http/evidence/page.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import type { Evidence } from '../../src/server/services/history/evidence.ts';
import { linkEvidence, readAnswers, readEvidence } from '../../src/server/services/history/evidence.ts';
import { plantRows } from '../../test/support/population.ts';
import { OwnPostgres } from '../../test/support/postgres.ts';

const POPULATION = { users: 3, accountsEach: 5, campaignsEach: 1000 };
const CAMPAIGNS = POPULATION.accountsEach * POPULATION.campaignsEach;
const PREPARING_MS = 600_000;
const LIMIT_MS = 300;
const RUNS = 9;
const DAY_MS = 86_400_000;

takeNoArguments(`npm run bench:evidence

Renders the evidence of an outage of ${CAMPAIGNS} campaigns, beside a bare query of the same rows. Ends with 1 when a limit is exceeded.`);
await using closing = new AsyncDisposableStack();
const { url } = closing.use(await OwnPostgres.start({}));
const database = await openDatabase({ url, log: silent, statementTimeoutMs: PREPARING_MS });
closing.defer(() => database.close());
await migrate(database, migrations);
const db = createDb(database.pool);
const now = systemClock.now();
await plantRows(db, POPULATION, new Date(now - 60 * DAY_MS));
await plantOutage();
await database.pool.query('analyze');

const user = (await findUsers(db, ['1'])).get('1');
if (user === undefined) throw new Error('there is no user');
const deps = { db, clock: systemClock, cipher: createTokenCipher([randomBytes(32).toString('base64')]) };
const { path } = await linkEvidence(deps, user, '1');
const read = async (): Promise<Evidence> => {
  const evidence = await readEvidence(deps, path.replace('/evidence/', ''));
  if (evidence === null) throw new Error('there is no evidence');
  return evidence;
};
const known = (await read()).campaigns.filter(({ inside, usual }) => inside !== null && usual !== null);
if (known.length !== CAMPAIGNS) throw new Error(`${known.length} campaigns are known`);

const bareMs = await medianOf(bareQuery);
const page = await medianOf(async () => {
  const evidence = await read();
  return evidenceDocument(evidence, await readAnswers(deps, evidence), '');
});
const csv = await medianOf(async () => evidenceCsv(await read()));
const figure = (what: string, ms: number): Figure => ({
  ...{ what, measured: `${ms.toFixed(0)} ms, bare query ${bareMs.toFixed(0)} ms` },
  ...{ yardstick: `limit ${LIMIT_MS} ms`, ratio: ms / LIMIT_MS, atMost: 1 },
});
if (!printFigures([figure(`page of ${CAMPAIGNS} campaigns`, page), figure('the same as CSV', csv)]))
  process.exitCode = 1;

/** An outage of two hours yesterday, in which all campaigns were paused, and eight weeks of spend. */
async function plantOutage(): Promise<void> {
  const start = new Date(Math.floor(now / DAY_MS) * DAY_MS - 14 * 3_600_000);
  const end = new Date(start.getTime() + 2 * 3_600_000);
  const levels = [
    { level: 'HIGH_DISRUPTION', at: start.getTime() },
    { level: 'UP', at: end.getTime() },
  ];
  await sql`update ad_accounts set time_zone = 'America/New_York'`.execute(db);
  await sql`insert into outages (started_at, ended_at, peak, levels, recorded_at)
    values (${start}, ${end}, 'HIGH_DISRUPTION', ${JSON.stringify(levels)}, ${end})`.execute(db);
  await sql`insert into holds (user_id, account_id, campaign_id, state, outcome, threshold, level, decided_at, read_at, pause_sent_at, paused_at, resume_sent_at, ended_at)
    select a.user_id, c.account_id, c.id, 'ended', 'resumed', 'MEDIUM', 'HIGH_DISRUPTION', ${start}, ${start}, ${start}, ${start}, ${end}, ${end}
    from campaigns c join ad_accounts a on a.id = c.account_id`.execute(db);
  const hourly = (value: number) => sql`array_fill(${value}::int, array[24])`;
  await sql`insert into campaign_spend (campaign_id, day, month, read_at, spend, impressions)
    select c.id, day::date, extract(month from day)::int, now(), ${hourly(1234)}::bigint[], ${hourly(567)}::int[]
    from campaigns c, generate_series(${start}::timestamptz - interval '56 days', ${start}::timestamptz, '1 day') day`.execute(
    db,
  );
}

/** The holds and the five days of spend that the page shows. */
async function bareQuery(): Promise<void> {
  await database.pool.query(`
    select c.name, h.*, s.* from holds h join campaigns c on c.id = h.campaign_id
    left join lateral (select array_agg(s.spend) as spend, array_agg(s.impressions) as impressions from campaign_spend s
      where s.campaign_id = h.campaign_id and s.day in (select (o.started_at - n * interval '7 days')::date
        from outages o, generate_series(0, 4) n)) s on true
    where h.user_id = 1`);
}

async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}
