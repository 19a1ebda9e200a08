import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** An empty database on the PostgreSQL of this run, which is deleted when the run ends. */
export async function newDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const client = new pg.Client(url.href);
  await client.connect();
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
