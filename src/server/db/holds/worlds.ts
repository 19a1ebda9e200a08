import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import type { StoredHold } from './holds.ts';
import { findLiveHolds } from './holds.ts';
import type { Person } from '../users/people.ts';
import { toPerson } from '../users/people.ts';
import type { Schema } from '../schema.ts';
import type { Sealed } from '../../secrets.ts';
import type { OwnSubscriptions } from '../billing/subscriptions.ts';
import { findSubscriptionsOf } from '../billing/subscriptions.ts';

/** Everything stored that decides what happens to one person's campaigns in one ad account. */
export interface StoredWorld {
  accountId: string;
  accountName: string;
  /** The platform has refused it to them. */
  isAccountLost: boolean;
  person: Person;
  subscriptions: OwnSubscriptions;
  /** Null when there is none, or the platform has refused it. */
  token: Sealed | null;
  settings: Map<string, SmartPauseSetting>;
  /** When SmartPause was last turned on for one of them; null: it is on for none. */
  turnedOnAt: Instant | null;
  holds: StoredHold[];
  heldByOthers: Set<string>;
}

type Row = Selectable<Schema['person']> & {
  account_id: string;
  account_name: string | null;
  lost_at: Date | null;
  on_campaigns: string[] | null;
  turned_on_at: Date | null;
  sealed: Uint8Array | null;
  key_id: string | null;
  refused_at: Date | null;
};

/** Loads the people concerned with each of the accounts: whoever has SmartPause on or holds something there. */
export async function loadWorlds(db: Db, accountIds: readonly string[]): Promise<Map<string, StoredWorld[]>> {
  const worlds = new Map<string, StoredWorld[]>(accountIds.map((id) => [id, []]));
  if (accountIds.length === 0) return worlds;
  const people = await concernedPeople(db, accountIds);
  const holds = await findLiveHolds(db, accountIds);
  const subscriptions = await findSubscriptionsOf(
    db,
    people.map(({ id }) => id),
  );
  for (const row of people) {
    const ofAccount = holds.filter((hold) => hold.accountId === row.account_id);
    worlds.get(row.account_id)?.push({
      accountId: row.account_id,
      accountName: row.account_name ?? row.account_id,
      isAccountLost: row.lost_at !== null,
      person: toPerson(row),
      subscriptions: subscriptions.get(row.id) ?? { stripe: null, grant: null },
      token:
        row.sealed === null || row.key_id === null || row.refused_at !== null
          ? null
          : { sealed: row.sealed, keyId: row.key_id },
      settings: new Map((row.on_campaigns ?? []).map((id) => [id, 'ON'])),
      turnedOnAt: instant(row.turned_on_at),
      holds: ofAccount.filter((hold) => hold.personId === row.id),
      heldByOthers: new Set(
        ofAccount.filter((hold) => hold.personId !== row.id).map((hold) => hold.campaignId),
      ),
    });
  }
  return worlds;
}

async function concernedPeople(db: Db, accountIds: readonly string[]): Promise<Row[]> {
  const ids = [...accountIds];
  const { rows } = await sql<Row>`
    select person.*, c.account_id, a.name as account_name, a.lost_at, c.on_campaigns, c.turned_on_at,
      t.sealed, t.key_id, t.refused_at
    from (
      select account_id, person_id, max(on_campaigns) as on_campaigns, max(turned_on_at) as turned_on_at from (
        select account_id, person_id, array_agg(campaign_id) as on_campaigns, max(changed_at) as turned_on_at
        from smart_pause
        where setting = 'ON' and account_id = any(${ids}::text[]) group by account_id, person_id
        union all
        select live.account_id, live.person_id, null, null from unnest(${ids}::text[]) as account(id) cross join lateral (
          select account_id, person_id from hold where account_id = account.id and state <> 'ended' offset 0) live
      ) concern group by account_id, person_id
    ) c
    join person on person.id = c.person_id
    left join ad_account a on a.person_id = c.person_id and a.id = c.account_id
    left join platform_token t on t.person_id = c.person_id
    order by c.account_id, person.id`.execute(db);
  return rows;
}
