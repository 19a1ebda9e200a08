import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../../src/server/db/database.ts';
import { createDb } from '../../../src/server/db/database.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { migrations } from '../../../src/server/db/migrations/index.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';
import { silent } from '../../command.ts';
import { OwnPostgres } from '../../outside/own-postgres.ts';
import { makeDataFolder } from '../../outside/data-folder.ts';

/** A database for the benchmark: on disk, and as durable as in production. */
export interface OwnDatabase {
  /** The settings that point the product to it. */
  environment: Record<string, string>;
  encryptionKey: string;
  /** Prepares the database while no product runs. */
  during: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

/** A preparation may take longer than a request. */
const PREPARING_MS = 600_000;

export async function ownDatabase(): Promise<OwnDatabase> {
  const folder = await makeDataFolder('bench');
  const postgres = await OwnPostgres.start(join(folder, 'postgres'));
  const encryptionKey = randomBytes(32).toString('base64');
  return {
    encryptionKey,
    environment: { ENCRYPTION_KEY: encryptionKey, DATABASE_URL: postgres.url },
    async during(work) {
      const database = await openDatabase({
        url: postgres.url,
        log: silent,
        statementTimeoutMs: PREPARING_MS,
      });
      try {
        await migrate(database, migrations);
        const done = await work(createDb(database.pool));
        // Autovacuum does the same after a while.
        await database.pool.query('analyze');
        return done;
      } finally {
        await database.close();
      }
    },
    async close() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
