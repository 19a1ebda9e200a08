import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PostgresCluster } from '../../src/server/db/embedded/cluster.ts';

// Started by postgres.ts, and by hand for a throw-away server: `node test/support/postgres-child.ts`, Ctrl-D ends it.

export interface Announcement {
  url: string;
  folder: string;
}

/** What a test commits need not outlive the machine. */
const SETTINGS = { max_connections: '200', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

async function serveUntilParentGoes(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smartpause-postgres-'));
  // PostgreSQL runs as nobody when this runs as root.
  fs.chmodSync(folder, 0o711);
  const stopped = Promise.withResolvers<undefined>();
  process.stdin.resume();
  process.stdin.once('end', () => stopped.resolve(undefined));
  process.stdin.once('error', () => stopped.resolve(undefined));
  process.once('SIGTERM', () => stopped.resolve(undefined));
  process.on('SIGINT', () => undefined);
  try {
    const cluster = await PostgresCluster.open(path.join(folder, 'postgres'));
    const server = await cluster.start({ settings: SETTINGS });
    process.stdout.write(
      `${JSON.stringify({ url: cluster.urlOf(server.port), folder } satisfies Announcement)}\n`,
    );
    const exited = new Promise((resolve) => server.process.once('exit', resolve));
    await Promise.race([stopped.promise, exited]);
    await cluster.stop('immediate').catch(() => undefined);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

await serveUntilParentGoes();
