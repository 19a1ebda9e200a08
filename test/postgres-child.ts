import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { launchPostgres, makePostgresFolder, postgresUrl } from '../scripts/outside/postgres-server.ts';

// Started by postgres.ts, and by hand for a throw-away server: `node test/postgres-child.ts`, Ctrl-D ends it.

export interface Announcement {
  url: string;
  folder: string;
}

async function serveUntilParentGoes(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smartpause-postgres-'));
  const stopped = Promise.withResolvers<undefined>();
  process.stdin.resume();
  process.stdin.once('end', () => stopped.resolve(undefined));
  process.stdin.once('error', () => stopped.resolve(undefined));
  process.once('SIGTERM', () => stopped.resolve(undefined));
  process.on('SIGINT', () => undefined);
  let postgres: ChildProcess | undefined;
  try {
    const server = makePostgresFolder(folder);
    const port = await findFreePort();
    postgres = await launchPostgres(server, port);
    const url = postgresUrl(server, port);
    process.stdout.write(`${JSON.stringify({ url, folder } satisfies Announcement)}\n`);
    await Promise.race([stopped.promise, new Promise((resolve) => postgres?.once('exit', resolve))]);
  } finally {
    await end(postgres);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function end(postgres: ChildProcess | undefined): Promise<void> {
  if (postgres === undefined || postgres.exitCode !== null || postgres.signalCode !== null) return;
  const exited = new Promise((resolve) => postgres.once('exit', resolve));
  postgres.kill('SIGQUIT');
  await exited;
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

await serveUntilParentGoes();
