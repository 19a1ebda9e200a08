import { DatabaseSync } from 'node:sqlite';

export interface FolderLock {
  release(): void;
}

/**
 * PGlite itself lets two processes write one folder, which destroys data without an error. SQLite's exclusive lock is
 * the one lock Node offers that the kernel frees when the holder dies, kill -9 and containers included.
 */
export function lockFolder(folder: string, lockFile: string): FolderLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(lockFile, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `The database folder ${folder} is in use by another SmartPause process. Stop that one first, or give this one its own folder.`,
      { cause: error },
    );
  }
  const held = database;
  return { release: () => held.close() };
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
