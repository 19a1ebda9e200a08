import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../../src/server/db/database.ts';
import { createDb } from '../../../src/server/db/database.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { migrations } from '../../../src/server/db/migrations/index.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';
import { OwnPostgres } from '../../outside/own-postgres.ts';

/** A database of the benchmark's own: on the disk, and as durable as in production. */
export interface OwnDatabase {
  /** By which the product finds it. */
  environment: Record<string, string>;
  encryptionKey: string;
  /** To prepare it, while no product runs. */
  during: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** A preparation may take what a request may not. */
const PREPARING_MS = 600_000;

/** @param isEmbedded the one that the product starts in its DATA_DIR */
export async function ownDatabase(isEmbedded = false): Promise<OwnDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-bench-'));
  // PostgreSQL runs as nobody when this runs as root, and has its folder in this one.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data-of-product');
  const postgres = isEmbedded ? null : await OwnPostgres.start(join(folder, 'postgres'));
  await postgres?.createDatabase('product');
  const url = postgres?.urlOf('product');
  const encryptionKey = randomBytes(32).toString('base64');
  return {
    encryptionKey,
    environment: {
      DATA_DIR: dataDir,
      ENCRYPTION_KEY: encryptionKey,
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    },
    async during(work) {
      const database = await openDatabase({ url, dataDir, log: silent, statementTimeoutMs: PREPARING_MS });
      try {
        await migrate(database, migrations);
        const done = await work(createDb(database.pool));
        // As the database itself does it after a while.
        await database.pool.query('analyze');
        return done;
      } finally {
        await database.close();
      }
    },
    async close() {
      await postgres?.end('fast');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
