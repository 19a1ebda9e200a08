import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { Sealed } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { makeDue } from '../lanes.ts';

/** So far may a clock of ours have been from the platform's, and an entry of its log from our row. */
const APART_MS = minutes(2);

/** Somebody by whose permission an ad account can be read. */
export interface Reader {
  accountId: string;
  personId: string;
  token: Sealed;
}

export interface KnownAccount {
  readers: Reader[];
  /** The platform lets nobody at it any more of whom we know. */
  isLost: boolean;
}

/** All ad accounts of which anybody is here, by their ids: also those that nobody can read. */
export async function findAccounts(db: Db): Promise<Map<string, KnownAccount>> {
  const rows = await db
    .selectFrom('ad_account')
    .leftJoin('platform_token', (join) =>
      join
        .onRef('platform_token.person_id', '=', 'ad_account.person_id')
        .on('platform_token.refused_at', 'is', null),
    )
    .select(['ad_account.id', 'ad_account.person_id', 'lost_at', 'sealed', 'key_id'])
    .orderBy('ad_account.id')
    .orderBy('ad_account.person_id')
    .execute();
  const accounts = new Map<string, KnownAccount>();
  for (const { id, person_id, lost_at, sealed, key_id } of rows) {
    const account = accounts.get(id) ?? { readers: [], isLost: true };
    accounts.set(id, account);
    if (lost_at !== null) continue;
    account.isLost = false;
    if (sealed !== null && key_id !== null)
      account.readers.push({ accountId: id, personId: person_id, token: { sealed, keyId: key_id } });
  }
  return accounts;
}

/** The last change of a campaign, which was ours by the platform's log. */
export interface OwnChange {
  accountId: string;
  campaignId: string;
  to: 'ACTIVE' | 'PAUSED';
  at: Instant;
}

/** What the rows say of a campaign at which such a change was found. */
export interface KnownOfCampaign {
  name: string;
  /** A hold of it that has not ended. */
  hold: { id: string; isResuming: boolean } | null;
  /** Its pause is known here: a hold of that time, or somebody's own press of the button. */
  isPauseKnown: boolean;
  /** Somebody who has SmartPause on for it, and whose permission reaches it; null: nobody has. */
  wantedBy: string | null;
}

export async function knownOf(db: Db, { campaignId, at }: OwnChange): Promise<KnownOfCampaign> {
  const since = sql`${new Date(at - APART_MS)}::timestamptz`;
  const { rows } = await sql<{
    name: string | null;
    hold_id: string | null;
    hold_state: string | null;
    is_known: boolean;
    wanted_by: string | null;
  }>`
    select (select name from campaign where id = ${campaignId}) as name, live.id as hold_id, live.state as hold_state,
      exists (select from hold where campaign_id = ${campaignId} and created_at >= ${since})
        or exists (select from campaign where id = ${campaignId} and paused_by_hand_at >= ${since}) as is_known,
      (select min(sp.person_id) from smart_pause sp
        join person on person.id = sp.person_id and person.leaving is null
        join platform_token t on t.person_id = sp.person_id and t.refused_at is null
        join ad_account a on a.person_id = sp.person_id and a.id = sp.account_id and a.lost_at is null
        where sp.campaign_id = ${campaignId} and sp.setting = 'ON') as wanted_by
    from (select) nothing left join (
      select id, state from hold where campaign_id = ${campaignId} and state <> 'ended' and given_up is null) live on true`.execute(
    db,
  );
  const [row] = rows;
  return {
    name: row?.name ?? campaignId,
    hold:
      row === undefined || row.hold_id === null
        ? null
        : { id: row.hold_id, isResuming: row.hold_state === 'resuming' },
    isPauseKnown: row?.is_known ?? false,
    wantedBy: row?.wanted_by ?? null,
  };
}

/**
 * The intent to pause as it stood before it was lost: in doubt, as after a crash, and the engine goes on from there. False: another
 * hold of that campaign has not ended, be it that it was given up.
 */
export async function writeLostPause(
  tx: Db,
  { accountId, campaignId, at }: OwnChange,
  personId: string,
  now: Instant,
): Promise<boolean> {
  const then = new Date(at);
  const { rows } = await sql`
    insert into hold (person_id, account_id, campaign_id, state, attempt, in_doubt, sent_at, created_at, read_at)
    values (${personId}, ${accountId}, ${campaignId}, 'pausing', 1, true, ${then}, ${then}, ${then})
    on conflict (campaign_id) where state <> 'ended' do nothing
    returning id`.execute(tx);
  await sql`insert into lane (account_id) values (${accountId}) on conflict do nothing`.execute(tx);
  await makeDue(tx, [accountId], now);
  return rows.length > 0;
}

/** The same of the intent to resume. False: that hold has ended. */
export async function writeLostResume(
  tx: Db,
  { accountId, at }: OwnChange,
  holdId: string,
  now: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update hold set state = 'resuming', attempt = attempt + 1, in_doubt = true, sent_at = ${new Date(at)},
      retry_at = null, suspected_status = null, suspected_since = null
    where id = ${holdId} and state <> 'ended'
    returning id`.execute(tx);
  await makeDue(tx, [accountId], now);
  return rows.length > 0;
}
