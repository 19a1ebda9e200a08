import { createDb } from '../database.ts';
import { hasDatabase, putAside } from '../pool/data-folder.ts';
import { openEmbedded } from '../pool/open.ts';
import { withSnapshot } from './backup.ts';
import type { Restored, RestoreOptions } from './restore.ts';
import { restoreRows } from './restore.ts';

export type MoveOptions = Pick<RestoreOptions, 'dataDir' | 'migrations' | 'replace' | 'now' | 'log'> & {
  url: string;
};

/**
 * Brings everything from the embedded database to a server. The embedded one is held locked meanwhile, stays as it was, and is put
 * aside when all has arrived: two databases must never work for the same people.
 */
export async function moveDatabase(options: MoveOptions): Promise<Restored & { keyIds: string[] }> {
  const { dataDir, now, log } = options;
  if (!hasDatabase(dataDir)) throw new Error(`There is no embedded database in ${dataDir}.`);
  const source = await openEmbedded({ dataDir, log });
  let moved: Restored & { keyIds: string[] };
  try {
    moved = await withSnapshot(createDb(source.pool), now, async (snapshot) => ({
      ...(await restoreRows(snapshot, { ...options, isLatest: true })),
      keyIds: snapshot.facts.keyIds,
    }));
  } finally {
    await source.close();
  }
  return { ...moved, former: putAside(dataDir, 'moved', new Date(now)) };
}
