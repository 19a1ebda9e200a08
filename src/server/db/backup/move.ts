import { createDb } from '../database.ts';
import { nameOfDatabase } from '../name-of-database.ts';
import { hasDatabase, leaveDatabase } from '../pool/data-folder.ts';
import { openEmbedded } from '../pool/open.ts';
import { withSnapshot } from './backup.ts';
import type { Restored, RestoreOptions } from './restore.ts';
import { restoreRows } from './restore.ts';

export type MoveOptions = Pick<RestoreOptions, 'dataDir' | 'migrations' | 'replace' | 'now' | 'log'> & {
  url: string;
};

/**
 * Brings everything from the embedded database to a server. The embedded one is held locked until it is put aside, when all has
 * arrived; it stays as it was.
 */
export async function moveDatabase(options: MoveOptions): Promise<Restored & { keyIds: string[] }> {
  const { dataDir, url, now, log } = options;
  if (!hasDatabase(dataDir)) throw new Error(`There is no embedded database in ${dataDir}.`);
  let moved: (Restored & { keyIds: string[] }) | null = null;
  let former: string | null = null;
  const putAside = (): void => {
    if (moved !== null) former = leave(dataDir, nameOfDatabase({ databaseUrl: url, dataDir }), new Date(now));
  };
  const source = await openEmbedded({ dataDir, log, beforeRelease: putAside });
  try {
    moved = await withSnapshot(createDb(source.pool), now, async (snapshot) => ({
      ...(await restoreRows(snapshot, { ...options, isLatest: true })),
      keyIds: snapshot.facts.keyIds,
    }));
  } finally {
    await source.close();
  }
  return { ...moved, former };
}

function leave(dataDir: string, to: string, now: Date): string | null {
  try {
    return leaveDatabase(dataDir, to, now);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const words = `Everything has moved to ${to}, but the embedded database could not be put aside: ${why}. Move ${dataDir}/pglite away by hand, and start SmartPause with DATABASE_URL.`;
    throw new Error(words, { cause });
  }
}
