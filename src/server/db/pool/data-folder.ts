import fs from 'node:fs';
import path from 'node:path';
import { lockFolder, type FolderLock } from './folder-lock.ts';

export const PGLITE_POSTGRES_MAJOR = '18';

export interface DataFolder {
  folder: string;
  /** True when there is no database in it yet. */
  isNew: boolean;
  lock: FolderLock;
}

export function claimDataFolder(dataDir: string): DataFolder {
  const folder = path.resolve(dataDir, 'pglite');
  makePrivateFolder(dataDir);
  const lock = lockFolder(folder, path.resolve(dataDir, 'pglite.lock'));
  try {
    const major = readMajor(folder);
    if (major !== null) requireSameMajor(folder, major);
    return { folder, isNew: major === null, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makePrivateFolder(dataDir: string): void {
  const existed = fs.existsSync(dataDir);
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existed) fs.chmodSync(dataDir, 0o700);
}

function readMajor(folder: string): string | null {
  if (!fs.existsSync(folder) || fs.readdirSync(folder).length === 0) return null;
  const file = path.join(folder, 'PG_VERSION');
  if (!fs.existsSync(file)) {
    throw new Error(
      `The folder ${folder} holds files but no database (PG_VERSION is missing). Move it away to start anew.`,
    );
  }
  return fs.readFileSync(file, 'utf8').trim();
}

function requireSameMajor(folder: string, major: string): void {
  if (major === PGLITE_POSTGRES_MAJOR) return;
  throw new Error(
    `The database in ${folder} was written by PostgreSQL ${major}, but this version of SmartPause embeds PostgreSQL ${PGLITE_POSTGRES_MAJOR}. ` +
      `Export it with the SmartPause version that wrote it and import it here, or move the folder away to start anew.`,
  );
}
