import { sql } from 'kysely';
import { DEFAULT_RESUME } from '../../../src/core/settings.ts';
import type { Db } from '../../../src/server/db/database.ts';
import { startSession } from '../../../src/server/db/users/sessions.ts';
import { tokenContext } from '../../../src/server/db/users/tokens.ts';
import type { Vault } from '../../../src/server/secrets.ts';

/** How many there are; everybody has paid, is set up, and has SmartPause on for all campaigns. */
export interface Population {
  people: number;
  accountsEach: number;
  campaignsEach: number;
}

const FIRST_USER = 7_100_000_000_000_000;
const FIRST_ACCOUNT = 8_100_000_000_000_000;
// All of them are below 2 ** 53.
const FIRST_CAMPAIGN = 8_900_000_000_000_000;

export const userIdOf = (person: number): string => String(FIRST_USER + person);
export const accountIdOf = (account: number): string => `act_${FIRST_ACCOUNT + account}`;
export const campaignIdOf = (campaign: number): string => String(FIRST_CAMPAIGN + campaign);
/** In minor units: all different and in no order, so that the dearest are anywhere. */
export const budgetOf = (campaign: number): number => 1000 + ((campaign * 7919) % 1_000_003);

/** Writes them into an empty, migrated database, as the product's own rows stand there after a while of use. */
export async function plantRows(db: Db, population: Population, at: Date): Promise<void> {
  const { people, accountsEach, campaignsEach } = population;
  const accounts = people * accountsEach;
  const campaigns = accounts * campaignsEach;
  const inYears = new Date(at.getTime() + 700 * 86_400_000);
  const resume = JSON.stringify(DEFAULT_RESUME);
  await sql`
    insert into person (platform_user_id, name, email, initialized_at, threshold, resume_settings, logged_in_at, created_at)
    select (${FIRST_USER}::bigint + n)::text, 'Person ' || n, 'person' || n || '@example.com', ${at},
      'MEDIUM', ${resume}::jsonb, ${at}, ${at}
    from generate_series(0, ${people - 1}::int) n`.execute(db);
  // The identities are given in the order of the rows: person n has the id n + 1.
  await sql`
    insert into subscription (person_id, source, status, plan_type, current_period_end, renews)
    select id, 'stripe', 'active', 'monthly', ${inYears}, true from person`.execute(db);
  await sql`
    insert into ad_account (person_id, id, name, currency, account_status, seen_at)
    select n / ${accountsEach}::int + 1, 'act_' || (${FIRST_ACCOUNT}::bigint + n), 'Account ' || n, 'USD', 1, ${at}
    from generate_series(0, ${accounts - 1}::int) n`.execute(db);
  await sql`
    insert into campaign (id, account_id, name, status, objective, daily_budget, seen_at)
    select (${FIRST_CAMPAIGN}::bigint + n)::text, 'act_' || (${FIRST_ACCOUNT}::bigint + n / ${campaignsEach}::int),
      'Campaign ' || n, 'ACTIVE', 'OUTCOME_SALES', 1000 + (n::bigint * 7919) % 1000003, ${at}
    from generate_series(0, ${campaigns - 1}::int) n`.execute(db);
  await sql`
    insert into campaign_list (account_id, read_at)
    select 'act_' || (${FIRST_ACCOUNT}::bigint + n), ${at} from generate_series(0, ${accounts - 1}::int) n`.execute(
    db,
  );
  await sql`
    insert into smart_pause (person_id, campaign_id, account_id, setting, changed_at)
    select n / ${accountsEach * campaignsEach}::int + 1, (${FIRST_CAMPAIGN}::bigint + n)::text,
      'act_' || (${FIRST_ACCOUNT}::bigint + n / ${campaignsEach}::int), 'ON', ${at}
    from generate_series(0, ${campaigns - 1}::int) n`.execute(db);
  await sql`
    insert into lane (account_id, priority)
    select account_id, sum(daily_budget) from campaign group by account_id`.execute(db);
}

/** The tokens by which the people's ad accounts are reached, by person. */
export async function plantTokens(db: Db, vault: Vault, tokens: readonly string[], at: Date): Promise<void> {
  const sealed = tokens.map((token, person) => vault.seal(token, tokenContext(String(person + 1))).sealed);
  const tomorrow = new Date(at.getTime() + 86_400_000);
  await sql`
    insert into platform_token (person_id, sealed, key_id, expires_at, saved_at, check_at)
    select t.person_id, decode(t.sealed, 'hex'), ${vault.keyId}, null, ${at}, ${tomorrow}
    from unnest(${tokens.map((_token, person) => String(person + 1))}::bigint[],
      ${sealed.map((one) => Buffer.from(one).toString('hex'))}::text[]) as t(person_id, sealed)`.execute(db);
}

/** One for each of the people, in their order. */
export async function startSessions(db: Db, people: number, at: Date): Promise<string[]> {
  const sessions: string[] = [];
  for (let person = 1; person <= people; person += 1) {
    sessions.push(await startSession(db, { personId: String(person), device: 'A browser' }, at.getTime()));
  }
  return sessions;
}
