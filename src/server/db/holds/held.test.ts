import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import { findHeldIds } from './held.ts';

const LIVE = 12_000;
const ENDED = 20_000;

describe('live holds among many', () => {
  const db = useFreshDb();

  beforeAll(async () => {
    await sql`
      insert into app_user (platform_user_id, name, resume_settings, logged_in_at, created_at)
      values ('177', 'Maya Chen', '{"mode": "instant"}', now(), now())`.execute(db());
    await sql`
      insert into hold (user_id, account_id, campaign_id, state, outcome, created_at, ended_at)
      select 1, 'act_1', n::text, 'ended', 'resumed', now(), now() from generate_series(1, ${ENDED}::int) n`.execute(
      db(),
    );
    await sql`
      insert into hold (user_id, account_id, campaign_id, state, created_at)
      select 1, 'act_' || (n % 600 + 1), n::text,
        case n % 100 when 0 then 'pausing' when 1 then 'resuming' else 'paused' end, now()
      from generate_series(1, ${LIVE}::int) n`.execute(db());
    await sql`analyze`.execute(db());
  });

  test('paging returns every live hold once, the newest first', async () => {
    const ids: number[] = [];
    for (let after: string | null = null; ;) {
      const page = await findHeldIds(db(), { after, limit: 500 });
      ids.push(...page.map(Number));
      after = page.at(-1) ?? null;
      if (after === null) break;
    }
    expect(new Set(ids).size).toBe(LIVE);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  test('a page reads only the index of live holds', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select live.* from unnest(array['pausing', 'paused', 'resuming']) as one(state) cross join lateral (
        select * from hold where state = one.state and state <> 'ended' and id < 32000 order by id desc limit 51) live`.execute(
      db(),
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/hold_live/);
    expect(plan).not.toMatch(/Seq Scan on hold|hold_pkey/);
  });
});
