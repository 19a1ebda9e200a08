import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { HoldState } from '#core/smartpause/hold.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';
import type { Instant } from '#core/time.ts';

/** What a list of holds is narrowed down to, and where in it a page begins. */
export interface HeldWish {
  /** Null: of everybody. */
  personIds: readonly string[] | null;
  /** Of a campaign or an ad account, by its digits. */
  campaignId: string | null;
  /** A part of the campaign's name. */
  campaignName: string | null;
  states: readonly HoldState[];
  onlyInDoubt: boolean;
  oldestFirst: boolean;
  /** The last one of the page before. */
  after: string | null;
  limit: number;
}

export interface HeldIds {
  ids: string[];
  /** Where to go on; null: there is nothing beyond. */
  next: string | null;
}

/** So many holds are looked at for one page, when names decide: the rest is for the next one. */
const WALK = 10_000;

/** One page of the holds that have not ended, in the order in which they were begun. */
export async function findHeldIds(db: Db, wish: HeldWish): Promise<HeldIds> {
  const { limit, campaignName: name, onlyInDoubt } = wish;
  const isSifted = name !== null || onlyInDoubt;
  const walk = isSifted ? WALK : limit;
  const order = wish.oldestFirst ? sql`asc` : sql`desc`;
  const matches = [
    sql`true`,
    ...(name === null ? [] : [sql`campaign.name ilike ${contains(name)}`]),
    ...(onlyInDoubt ? [sql`walked.in_doubt`] : []),
  ];
  const { rows } = await sql<{ id: string; is_match: boolean }>`
    with walked as materialized (
      select id, campaign_id, in_doubt from (${sourceOf(wish, walk + 1, order)}) live
      order by id ${order} limit ${walk + 1}
    ), matching as materialized (
      select walked.id from walked left join campaign on campaign.id = walked.campaign_id
      where ${sql.join(matches, sql` and `)}
      order by walked.id ${order} limit ${limit + 1}
    )
    select id, true as is_match from matching
    union all
    -- Where the walk ended, if there is more beyond.
    (select id, false from walked where (select count(*) from walked) > ${walk} order by id ${order} offset ${walk - 1} limit 1)`.execute(
    db,
  );
  const found = rows.filter((row) => row.is_match).map((row) => row.id);
  const edge = rows.find((row) => !row.is_match)?.id ?? null;
  const ids = found.filter((id) => edge === null || !isBeyond(id, edge, wish)).slice(0, limit);
  const hasMore = found.length > limit;
  return { ids, next: hasMore ? (ids.at(-1) ?? edge) : edge };
}

function isBeyond(id: string, edge: string, { oldestFirst }: HeldWish): boolean {
  return oldestFirst ? BigInt(id) > BigInt(edge) : BigInt(id) < BigInt(edge);
}

/** The live holds from there on, each kind of wish by an index of its own. */
function sourceOf(wish: HeldWish, limit: number, order: RawBuilder<unknown>): RawBuilder<unknown> {
  const { personIds, campaignId, states, after, oldestFirst } = wish;
  const onwards =
    after === null ? sql`true` : oldestFirst ? sql`id > ${after}::bigint` : sql`id < ${after}::bigint`;
  if (campaignId !== null) {
    const ofPeople = personIds === null ? sql`true` : sql`person_id = any(${[...personIds]}::bigint[])`;
    return sql`select * from hold where (campaign_id = ${campaignId} or account_id = ${`act_${campaignId}`})
      and state <> 'ended' and state = any(${[...states]}::text[]) and ${ofPeople} and ${onwards}`;
  }
  if (personIds !== null) {
    return sql`select * from unnest(${[...personIds]}::bigint[]) as person(own_id) cross join lateral (
      select * from hold where person_id = person.own_id and state <> 'ended' and state = any(${[...states]}::text[])
        and ${onwards} offset 0) live`;
  }
  return sql`select live.* from unnest(${[...states]}::text[]) as one(state) cross join lateral (
    select * from hold where state = one.state and state <> 'ended' and ${onwards}
    order by id ${order} limit ${limit}) live`;
}

/** Whoever is called so, or has this id with us or on the platform. */
export async function findPeopleCalled(db: Db, words: string, limit: number): Promise<string[]> {
  const { rows } = /^\d+$/.test(words)
    ? await sql<{ id: string }>`
        select id from person where platform_user_id = ${words}
        union select id from person where id = ${fitsId(words) ? words : null}::bigint`.execute(db)
    : await sql<{ id: string }>`
        select id from person where name ilike ${contains(words)} order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

function fitsId(digits: string): boolean {
  return digits.length <= 18;
}

/** What the words stand for themselves in a pattern. */
function contains(words: string): string {
  return `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** What stands around a hold: names, the ad account's state, the wish, and what the journal says of its pause. */
export interface HeldAround {
  holdId: string;
  campaignName: string | null;
  isOn: boolean;
  isAccountLost: boolean;
  hasToken: boolean;
  blockedUntil: Instant | null;
  /** Why the ad account could not be worked on last; null: it could. */
  accountError: string | null;
  createdAt: Instant;
  pausedReason: string | null;
}

export async function findHeldAround(db: Db, holdIds: readonly string[]): Promise<Map<string, HeldAround>> {
  interface Row {
    id: string;
    name: string | null;
    setting: string | null;
    lost_at: Date | null;
    has_token: boolean;
    blocked_until: Date | null;
    account_error: string | null;
    created_at: Date;
    reason: string | null;
  }
  const { rows } = await sql<Row>`
    select hold.id, hold.created_at, campaign.name, sp.setting, a.lost_at, lane.blocked_until,
      lane.last_error as account_error, paused.reason,
      coalesce(t.refused_at is null and t.person_id is not null, false) as has_token
    from hold
    left join campaign on campaign.id = hold.campaign_id
    left join smart_pause sp on sp.person_id = hold.person_id and sp.campaign_id = hold.campaign_id
    left join ad_account a on a.person_id = hold.person_id and a.id = hold.account_id
    left join lane on lane.account_id = hold.account_id
    left join platform_token t on t.person_id = hold.person_id
    left join activity paused on paused.hold_id = hold.id and paused.event = 'paused'
    where hold.id = any(${[...holdIds]}::bigint[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        holdId: row.id,
        campaignName: row.name,
        isOn: row.setting === 'ON',
        isAccountLost: row.lost_at !== null,
        hasToken: row.has_token,
        blockedUntil: instant(row.blocked_until),
        accountError: row.account_error,
        createdAt: instant(row.created_at),
        pausedReason: row.reason,
      },
    ]),
  );
}
