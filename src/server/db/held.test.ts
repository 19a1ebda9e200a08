import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { HOLD_STATES } from '#core/smartpause/hold.ts';
import { useFreshDb } from '../../../test/database.ts';
import type { HeldWish } from './held.ts';
import { findHeldIds, findPeopleCalled } from './held.ts';

const LIVE = 12_000;
const ENDED = 20_000;
const ALL: HeldWish = {
  personIds: null,
  campaignId: null,
  campaignName: null,
  states: HOLD_STATES,
  onlyInDoubt: false,
  oldestFirst: false,
  after: null,
  limit: 50,
};

describe('who is held, among very many', () => {
  const db = useFreshDb();

  beforeAll(async () => {
    await sql`
      insert into person (platform_user_id, name, resume_settings, logged_in_at, created_at)
      select n::text || '77', case n when 1 then 'Maya Chen' when 2 then '100% Sure_Thing' else 'Person ' || n end,
        '{"mode": "instant"}', now(), now() from generate_series(1, 600) n`.execute(db());
    await sql`
      insert into campaign (id, account_id, name, status, objective, seen_at)
      select n::text, 'act_' || (n % 600 + 1), case n when 5 then 'The only Yeti' else 'Campaign ' || n end, 'PAUSED', 'X', now()
      from generate_series(1, ${LIVE}::int) n`.execute(db());
    await sql`
      insert into hold (person_id, account_id, campaign_id, state, outcome, created_at, ended_at)
      select 1, 'act_1', n::text, 'ended', 'resumed', now(), now() from generate_series(1, ${ENDED}::int) n`.execute(
      db(),
    );
    await sql`
      insert into hold (person_id, account_id, campaign_id, state, in_doubt, created_at)
      select n % 600 + 1, 'act_' || (n % 600 + 1), n::text,
        case n % 100 when 0 then 'pausing' when 1 then 'resuming' else 'paused' end, n % 100 = 0, now()
      from generate_series(1, ${LIVE}::int) n`.execute(db());
    await sql`analyze`.execute(db());
  });

  async function allPages(wish: Partial<HeldWish>): Promise<{ ids: number[]; pages: number }> {
    const ids: number[] = [];
    let pages = 0;
    for (let after: string | null = null; ; pages += 1) {
      const page = await findHeldIds(db(), { ...ALL, ...wish, after });
      ids.push(...page.ids.map(Number));
      if (page.next === null) return { ids, pages: pages + 1 };
      after = page.next;
    }
  }

  test.each([
    ['newest first', false],
    ['oldest first', true],
  ])('page by page each is met once, %s', async (_title, oldestFirst) => {
    const { ids, pages } = await allPages({ oldestFirst, limit: 500 });
    expect(pages).toBe(LIVE / 500);
    expect(new Set(ids).size).toBe(LIVE);
    const sorted = ids.toSorted((a, b) => (oldestFirst ? a - b : b - a));
    expect(ids).toEqual(sorted);
  });

  test('by state, and what is in doubt', async () => {
    expect((await allPages({ states: ['pausing'] })).ids).toHaveLength(LIVE / 100);
    expect((await allPages({ states: ['pausing', 'resuming'], onlyInDoubt: true })).ids).toHaveLength(
      LIVE / 100,
    );
  });

  test('by person: a part of the name, an id of ours, or of the platform', async () => {
    const called = (words: string) => findPeopleCalled(db(), words, 100);
    expect(await called('maya')).toEqual(['1']);
    expect(await called('177')).toEqual(['1', '177'].toSorted());
    expect(await called('9'.repeat(32))).toEqual([]);
    // What is a pattern to the database is only itself.
    expect(await called('100% sure_')).toEqual(['2']);
    expect(await called('%')).toEqual(['2']);
    const { ids } = await allPages({ personIds: ['1'], limit: 7 });
    expect(ids).toHaveLength(LIVE / 600);
    expect((await allPages({ personIds: ['3', '4'], states: ['paused'] })).ids.length).toBeGreaterThan(
      LIVE / 600,
    );
    expect((await allPages({ personIds: [] })).ids).toEqual([]);
  });

  test('by campaign: its id, its ad account, both with a person, or a part of its name', async () => {
    expect((await allPages({ campaignId: '700' })).ids).toHaveLength(1);
    expect((await allPages({ campaignId: '555' })).ids).toHaveLength(1 + LIVE / 600);
    expect((await allPages({ campaignId: '700', personIds: ['1'] })).ids).toEqual([]);
    // The oldest but a few, so that it takes more than one page of looking, which brings nothing.
    const first = await findHeldIds(db(), { ...ALL, campaignName: 'YETI' });
    expect(first).toMatchObject({ ids: [], next: expect.stringMatching(/^\d+$/) as string });
    const { ids, pages } = await allPages({ campaignName: 'YETI' });
    expect([ids.length, pages]).toEqual([1, 2]);
    expect((await findHeldIds(db(), { ...ALL, campaignName: 'yeti', oldestFirst: true })).ids).toHaveLength(
      1,
    );
  });

  test('a page is found without a look at what has ended', async () => {
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
