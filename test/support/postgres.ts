import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { Announcement } from './postgres-child.ts';

// A real PostgreSQL for the tests. A child process holds a pipe to its parent: when
// the parent ends, even by a kill, the child stops the server and removes its files.

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** A folder of this run, for artifacts that many tests share. */
    runFolder: string;
  }
}

export interface RunningPostgres {
  url: string;
  folder: string;
  stop(): Promise<void>;
}

let running: RunningPostgres | undefined;

export async function setup(project: TestProject): Promise<void> {
  running = await startPostgres();
  project.provide('postgresUrl', running.url);
  project.provide('runFolder', running.folder);
}

export async function teardown(): Promise<void> {
  await running?.stop();
}

/** The server of TEST_DATABASE_URL, else a new one on a free port of this machine. */
export async function startPostgres(): Promise<RunningPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smartpause-test-'));
    const stop = async () => {
      fs.rmSync(folder, { recursive: true, force: true });
      await dropTemplates(given, folder);
    };
    return { url: given, folder, stop };
  }
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'postgres-child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = exited.then(() => {
    throw new Error('The PostgreSQL for the tests did not start; its own words are above.');
  });
  failed.catch(() => undefined);
  const { url, folder } = await Promise.race([readAnnouncement(child), failed]);
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { url, folder, stop };
}

/** The name prefix of the template databases of this run. */
export function templatePrefix(runFolder: string): string {
  return `template_${createHash('sha256').update(runFolder).digest('hex').slice(0, 12)}_`;
}

async function dropTemplates(url: string, runFolder: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const prefix = templatePrefix(runFolder);
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

async function readAnnouncement(child: ChildProcess): Promise<Announcement> {
  if (child.stdout === null) throw new Error('The child has no output.');
  for await (const line of readline.createInterface(child.stdout)) return JSON.parse(line) as Announcement;
  return await new Promise(() => undefined);
}
