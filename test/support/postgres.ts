import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import type { TestProject } from 'vitest/node';
import type { Announcement } from './postgres-child.ts';

// A real PostgreSQL for the tests. A child process holds a pipe to its parent: when
// the parent ends, even by a kill, the child stops the server and removes its files.

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

export interface RunningPostgres {
  url: string;
  stop(): Promise<void>;
}

let running: RunningPostgres | undefined;

export async function setup(project: TestProject): Promise<void> {
  running = await startPostgres();
  project.provide('postgresUrl', running.url);
}

export async function teardown(): Promise<void> {
  await running?.stop();
}

/** A new server on a free port of this machine. */
export async function startPostgres(): Promise<RunningPostgres> {
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
  const { url } = await Promise.race([readAnnouncement(child), failed]);
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { url, stop };
}

async function readAnnouncement(child: ChildProcess): Promise<Announcement> {
  if (child.stdout === null) throw new Error('The child has no output.');
  for await (const line of readline.createInterface(child.stdout)) return JSON.parse(line) as Announcement;
  return await new Promise(() => undefined);
}
