import type { Restored } from '../src/server/db/backup/restore.ts';
import { findLocalKey, pathOfLocalKey } from '../src/server/local-key.ts';
import { createVault } from '../src/server/secrets.ts';

/** Where the keys are, and which of those that a database needs are not there: the rows alone are not all of it. */
export async function lookForKeys(
  keyIds: readonly string[],
  { encryptionKeys, dataDir }: { encryptionKeys: string[] | undefined; dataDir: string },
): Promise<{ place: string; missing: string[] }> {
  const local = await findLocalKey(dataDir);
  const keys = encryptionKeys ?? (local === null ? [] : [local]);
  const here = keys.length === 0 ? [] : createVault(keys).keyIds;
  return {
    place: encryptionKeys === undefined ? pathOfLocalKey(dataDir) : 'ENCRYPTION_KEY',
    missing: keyIds.filter((id) => !here.includes(id)),
  };
}

export function wordsAboutMissing({ place, missing }: { place: string; missing: string[] }): string {
  return (
    `Not here: the key that opens access tokens of Meta in it (${missing.join(', ')}; looked at ${place}).\n` +
    'Without it their people have to log in again before their campaigns are looked after.'
  );
}

/** 12 rows in 3 tables. */
export function wordsAboutRows({ counts, total }: { counts: Record<string, number>; total: number }): string {
  const filled = Object.values(counts).filter((count) => count > 0).length;
  return `${total} rows in ${filled} tables`;
}

/** What was not taken along, and what was not done: lines to look at, none when all is well. */
export function wordsAboutTheRest({ leftOut, notAnalyzed }: Restored, where: string): string[] {
  const named = leftOut.map(({ name, rows }) => `${name} (${rows} ${rows === 1 ? 'row' : 'rows'})`);
  return [
    ...(named.length === 0
      ? []
      : [
          `LEFT OUT, since no version of SmartPause has made it: ${named.join(', ')}. It is still in ${where}.`,
        ]),
    ...(notAnalyzed === null
      ? []
      : [
          `NOT DONE: analyze (${notAnalyzed}). Everything is there; run it in psql, or SmartPause may be slow at first.`,
        ]),
  ];
}
