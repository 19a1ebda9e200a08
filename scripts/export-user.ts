import { sql } from 'kysely';
import { readDatabaseAndKeys } from '../src/server/config/read-config.ts';
import type { Db } from '../src/server/db/database.ts';
import { createDb } from '../src/server/db/database.ts';
import { createTokenCipher, fingerprintsOfUser } from '../src/server/secrets.ts';
import { NotUnderstood, readArguments } from './arguments.ts';
import { fail, withDatabase } from './command.ts';

const USAGE = `Prints everything that is stored about one user as JSON: the rows of each table, without tokens and hashes.

  npm run -s export-user -- <Meta user id> | <email>
`;

/** Reads each table that has one of the columns in `conditions`: a new table needs no change here. */
export async function exportUser(db: Db, asked: string, keys: readonly string[]): Promise<object> {
  const users = await sql<{ id: string; platformUserId: string }>`
    select id, platform_user_id from users where ${asked} in (platform_user_id, lower(email), lower(confirmed_email))`.execute(
    db,
  );
  const metaIds = users.rows.map((user) => user.platformUserId);
  if (metaIds.length > 1)
    throw new Error(`Several users have this email. Meta user ids: ${metaIds.join(', ')}`);
  // A deleted user has left only fingerprints of the Meta user id.
  const [metaId = asked] = metaIds;
  const user = sql`${users.rows[0]?.id ?? null}::bigint`;
  const conditions = {
    user_id: sql`user_id = ${user}`,
    account_id: sql`account_id in (
      select id from ad_accounts where user_id = ${user} and coalesce(lost_at, removed_at) is null)`,
    notification_id: sql`notification_id in (select id from notifications where user_id = ${user})`,
    destination_id: sql`destination_id in (select id from destinations where user_id = ${user})`,
    platform_user_hash: sql`platform_user_hash = any(${fingerprintsOfUser(createTokenCipher(keys), metaId)}::bytea[])`,
    platform_user_id: sql`platform_user_id = ${metaId}`,
    // Spend is also of an ad account, with its id.
    campaign_id: sql`campaign_id in (select unnest(array[c.id, a.id]) from ad_accounts a left join campaigns c on c.account_id = a.id
      where a.user_id = ${user} and coalesce(a.lost_at, a.removed_at) is null)`,
  };
  // Tokens and hashes are the binary columns.
  const tables = await sql<{ name: string; columns: string[]; secrets: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns,
      coalesce(array_agg(column_name::text) filter (where data_type = 'bytea'), '{}') as secrets
    from information_schema.columns where table_schema = current_schema()
      and to_regclass(table_name) not in (select inhrelid from pg_inherits) group by 1 order by 1`.execute(
    db,
  );
  const selects = tables.rows.flatMap(({ name, columns, secrets }) => {
    const where = Object.entries(conditions).find(([column]) => columns.includes(column))?.[1];
    if (where === undefined) return [];
    return sql`select ${name} as name, jsonb_agg(to_jsonb(t) - ${secrets}::text[]) as found
      from ${sql.table(name)} t where ${where} having count(*) > 0`;
  });
  const stored = await sql<{ name: string; found: object[] }>`${sql.join(selects, sql` union all `)}`.execute(
    db,
  );
  if (stored.rows.length === 0) throw new Error(`Nothing is stored about ${asked}.`);
  return Object.fromEntries(
    stored.rows.map(({ name, found }) => [name, found.map((row) => withOwnIntent(row, users.rows[0]?.id))]),
  );
}

/** The intent of an ad account has the changes of all its users. */
function withOwnIntent(row: object, userId: string | undefined): object {
  if (!('intent' in row) || row.intent === null) return row;
  type Change = { hold?: { userId: string }; write?: { requestedBy: string } };
  const isOwn = ({ hold, write }: Change): boolean => (hold?.userId ?? write?.requestedBy) === userId;
  return { ...row, intent: (row.intent as Change[]).filter(isOwn) };
}

if (import.meta.main) {
  const asked = readArguments({ usage: USAGE, takesWords: true }, ({ words: [word = '', ...rest] }) => {
    if (rest.length > 0 || !/^\d+$|^\S+@\S+$/.test(word))
      throw new NotUnderstood('It takes a Meta user id or an email.');
    return word.toLowerCase();
  });
  withDatabase(readDatabaseAndKeys, async ({ pool }, { encryptionKeys }) => {
    const stored = await exportUser(createDb(pool), asked, encryptionKeys);
    process.stdout.write(`${JSON.stringify(stored, null, 2)}\n`);
  }).catch(fail);
}
