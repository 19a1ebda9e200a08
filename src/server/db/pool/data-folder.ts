import fs from 'node:fs';
import path from 'node:path';
import { syncFolder } from './durable-fs.ts';
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
  const lock = claimPlace(dataDir);
  try {
    refuseMoved(dataDir);
    finishReplacing(folder);
    const major = readMajor(folder);
    if (major !== null) requireSameMajor(folder, major);
    return { folder, isNew: major === null, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Whether there is an embedded database in it; nothing is made. */
export function hasDatabase(dataDir: string): boolean {
  const folder = path.resolve(dataDir, 'pglite');
  return [folder, whole(folder)].some((one) => fs.existsSync(path.join(one, 'PG_VERSION')));
}

function claimPlace(dataDir: string): FolderLock {
  refuseRootForOthers([path.resolve(dataDir), path.resolve(dataDir, 'pglite')]);
  makePrivateFolder(dataDir);
  return lockFolder(path.resolve(dataDir, 'pglite'), path.resolve(dataDir, 'pglite.lock'));
}

function refuseMoved(dataDir: string): void {
  const mark = path.resolve(dataDir, 'pglite.moved');
  if (fs.existsSync(mark)) throw new Error(`${mark} says: ${fs.readFileSync(mark, 'utf8').trim()}`);
}

/** Where a new one lies that is whole, until its place is free: a crash in between is made good by the next to come. */
function whole(folder: string): string {
  return `${folder}.whole`;
}

function finishReplacing(folder: string): void {
  if (fs.existsSync(folder) || !fs.existsSync(whole(folder))) return;
  fs.renameSync(whole(folder), folder);
  syncFolder(path.dirname(folder));
}

/**
 * What root writes into the folder of somebody else, that one cannot open any more. Nobody but root is asked: whoever else may
 * write there, by a group or as a container's user, has been let in by its owner.
 */
function refuseRootForOthers(folders: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  for (const folder of folders) {
    const owner = fs.statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
    if (owner === 0) continue;
    throw new Error(
      `${folder} belongs to the user with the id ${owner}, who could not open what root writes there. ` +
        'Run this as that user: sudo -u, with the settings of the service (docs/operate.md).',
    );
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
