import fs from 'node:fs';
import path from 'node:path';
import { PostgresCluster } from '../../scripts/dev-postgres/cluster.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';

// Started by postgres.ts. For a temporary server run `node test/support/postgres-child.ts`; Ctrl-D ends it.

export interface Announcement {
  url: string;
}

/** A test's data need not survive a crash of the machine. */
const SETTINGS = { max_connections: '200', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

async function serveUntilParentGoes(): Promise<void> {
  const stopped = Promise.withResolvers<undefined>();
  process.stdin.resume();
  process.stdin.once('end', () => stopped.resolve(undefined));
  process.stdin.once('error', () => stopped.resolve(undefined));
  process.once('SIGTERM', () => stopped.resolve(undefined));
  process.on('SIGINT', () => undefined);
  const folder = await makeDataFolder('postgres');
  try {
    const cluster = await PostgresCluster.open(path.join(folder, 'postgres'));
    const server = await cluster.start({ settings: SETTINGS });
    process.stdout.write(`${JSON.stringify({ url: cluster.urlOf(server.port) } satisfies Announcement)}\n`);
    const exited = new Promise((resolve) => server.process.once('exit', resolve));
    await Promise.race([stopped.promise, exited]);
    await cluster.stop('immediate').catch(() => undefined);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

await serveUntilParentGoes();
