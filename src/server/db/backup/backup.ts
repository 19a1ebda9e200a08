import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import type { Header } from './file.ts';
import { writeBackupFile } from './file.ts';
import type { Piece } from './rows.ts';
import { readPieces, Tally } from './rows.ts';
import { readMigrations, readSequences, readTables, writeValuesInFull } from './tables.ts';

export interface Snapshot {
  facts: Omit<Header, 'format' | 'version'>;
  pieces: AsyncIterable<Piece>;
}

/** All of the database as it is at one moment, however long that takes to read; nobody waits for it on a server. */
export async function withSnapshot<T>(
  db: Db,
  now: Instant,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await writeValuesInFull(tx);
      const migrations = await readMigrations(tx);
      if (migrations === null) throw new Error('There is no database of SmartPause there.');
      const tables = await readTables(tx);
      const facts = {
        at: new Date(now).toISOString(),
        migrations,
        tables: tables.map(({ name, columns }) => ({ name, columns })),
        sequences: await readSequences(tx),
        keyIds: await readKeyIds(tx),
      };
      return use({ facts, pieces: readPieces(tx, tables) });
    });
}

async function readKeyIds(tx: Db): Promise<string[]> {
  const rows = await tx.selectFrom('platform_token').select('key_id').distinct().orderBy('key_id').execute();
  return rows.map(({ key_id }) => key_id);
}

export interface Written {
  header: Snapshot['facts'];
  counts: Record<string, number>;
  total: number;
}

/** Writes a backup of the whole database. The file is there when it is whole and has been read again. */
export async function writeBackup(
  db: Db,
  given: { file: string; overwrite: boolean; now: Instant },
): Promise<Written> {
  return withSnapshot(db, given.now, async ({ facts, pieces }) => {
    const tally = new Tally();
    await writeBackupFile(given.file, {
      overwrite: given.overwrite,
      async *contents(writer) {
        yield writer.header(facts);
        for await (const piece of pieces) {
          tally.add(piece);
          yield writer.piece(piece);
        }
        yield writer.end();
      },
    });
    return { header: facts, counts: tally.counts, total: tally.total };
  });
}

/** Whether SmartPause uses this database as well: on a server its connections bear its name. */
export async function countOtherConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name like 'smartpause%' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return Number(rows[0]?.count);
}
