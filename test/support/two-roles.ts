import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freshDatabase } from './database.ts';

/** An empty database after docs/database-roles.sql. */
export interface DatabaseOfTwoRoles {
  owner: { name: string; url: string };
  app: { name: string; url: string };
  superuser: pg.Client;
  close(): Promise<void>;
}

export async function databaseOfTwoRoles(): Promise<DatabaseOfTwoRoles> {
  // Roles belong to the whole server, so each database uses its own.
  const suffix = randomUUID().slice(0, 8);
  const password = randomUUID();
  const empty = await freshDatabase({ migrations: {} });
  const roleOf = (name: string): { name: string; url: string } => {
    const url = new URL(empty.url);
    url.username = name;
    url.password = password;
    return { name, url: url.href };
  };
  const owner = roleOf(`owner_${suffix}`);
  const app = roleOf(`app_${suffix}`);
  const superuser = new pg.Client(empty.url);
  await superuser.connect();
  // Kysely's own two tables, which the copied database already has.
  await superuser.query('drop table if exists kysely_migration, kysely_migration_lock');
  const script = await readFile(join(import.meta.dirname, '../../docs/database-roles.sql'), 'utf8');
  await superuser.query(
    script.replaceAll('smartpause_owner', owner.name).replaceAll('smartpause_app', app.name),
  );
  for (const { name } of [owner, app]) await superuser.query(`alter role ${name} password '${password}'`);
  const close = async (): Promise<void> => {
    await superuser.end();
    await empty.close();
    const server = new pg.Client(new URL('/postgres', empty.url).href);
    await server.connect();
    await server.query(`drop role ${owner.name}, ${app.name}`);
    await server.end();
  };
  return { owner, app, superuser, close };
}
