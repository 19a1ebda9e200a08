import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';

/** An empty database on the PostgreSQL of this run, which is deleted when the run ends. */
export async function newDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  await query(url.href, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  url.pathname = `/${name}`;
  return url.href;
}

/** What a running product keeps: its schema, Meta's current status and the files that it read from Meta. */
const KEPT = ['kysely_migration', 'kysely_migration_lock', 'platform_status', 'status_file', 'status_answer'];

/** Empties the tables of a running product, once it knows that Meta is up and its reconciler is at rest. */
export async function emptyDatabase(url: string): Promise<void> {
  await query(url, 'update platform_status set directive = null');
  await waitFor('the level UP', async () => {
    const [status] = await query(
      url,
      `select effective, (select count(*)::int from work_item where lease_until is not null) as leased
       from platform_status`,
    );
    return status?.['effective'] === 'UP' && status['leased'] === 0;
  });
  const tables = await query(
    url,
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const emptied = tables.map(({ name }) => String(name)).filter((name) => !KEPT.includes(name));
  // In a deadlock the product's transaction ends, which it repeats, and not this one.
  await query(url, `set deadlock_timeout = '1min'; truncate ${emptied.join(', ')} cascade`);
}

/** @returns the rows of a single statement */
async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
