import { setTimeout as sleep } from 'node:timers/promises';
import type { Harness } from './harness.ts';

/** The faults of the database, one after the other, so that each happens in a short run too. */
export async function breakDatabase(harness: Harness): Promise<void> {
  const { databaseFaults } = harness.runLog;
  await FAULTS[databaseFaults % FAULTS.length]?.(harness);
  harness.runLog.databaseFaults += 1;
}

const FAULTS = [killServer, fillDisk, endConnections, killBackend];
const AWAY_MS = [100, 4000] as const;
const FULL_MS = [1000, 6000] as const;

/** SIGKILL for all of PostgreSQL, which is away for a while and then recovers. */
async function killServer({ postgres, random }: Harness): Promise<void> {
  await postgres.killFor(random.whole(...AWAY_MS));
}

/** Every write fails with the SQLSTATE of a full disk. A really full file system needs root. */
async function fillDisk({ query, random }: Harness): Promise<void> {
  await query(`create or replace function disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  const tables = await query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  );
  for (const { name } of tables)
    await query(`create trigger disk_full before insert or update or delete on ${name}
      for each statement execute function disk_full()`);
  await sleep(random.whole(...FULL_MS));
  await query('drop function disk_full() cascade');
}

async function endConnections({ query }: Harness): Promise<void> {
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** SIGKILL for a backend that serves the product: PostgreSQL then ends and recovers all of them. */
async function killBackend({ query }: Harness): Promise<void> {
  const [row] = await query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name like 'smartpause%' limit 1`,
  );
  if (row !== undefined) process.kill(row.pid, 'SIGKILL');
}
