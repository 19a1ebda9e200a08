import { runQuery } from '../fixtures/environment.ts';

/** Tables that the status poller, the reconciler and expired logins change on their own. */
const BACKGROUND = [
  'work_item',
  'platform_status',
  'observation',
  'status_answer',
  'status_file',
  'outage',
  'login_attempt',
];
/** Columns that a read of Meta, a session or a worker changes on its own. */
const BOOKKEEPING =
  'seen_at,status,read_at,last_used_at,check_at,refused_at,refused_reason,sync_at,sync_no,written_no,failed_since,' +
  'last_error,attempts,lease_until,finalized_at,sent_at,subject,text,html,to_address,due_at';

/** A digest of each table, without the changes that the product makes without a request. */
export type DatabaseDigest = ReadonlyMap<string, string>;

export async function digestDatabase(url: string): Promise<DatabaseDigest> {
  const tables = await runQuery<{ name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  );
  const selects = tables
    .filter(({ name }) => !BACKGROUND.includes(name))
    .map(
      ({
        name,
      }) => `select '${name}' as name, count(*) || md5(coalesce(string_agg(row, '' order by row), '')) as digest
        from (select (to_jsonb(t) - '{${BOOKKEEPING}}'::text[])::text as row from ${name} t) rows`,
    );
  const rows = await runQuery<{ name: string; digest: string }>(url, selects.join(' union all '));
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** The names of the tables that differ. */
export function changedTables(before: DatabaseDigest, after: DatabaseDigest): string[] {
  return [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name);
}
