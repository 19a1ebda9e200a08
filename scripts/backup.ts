import { systemClock } from '../src/server/clock.ts';
import { readDatabaseConfig } from '../src/server/config.ts';
import { writeBackup } from '../src/server/db/backup/backup.ts';
import { createDb } from '../src/server/db/database.ts';
import { hasDatabase } from '../src/server/db/pool/data-folder.ts';
import { nameOfDatabase } from '../src/server/db/name-of-database.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import { NotUnderstood, readArguments } from './arguments.ts';
import { lookForKeys, wordsAboutMissing, wordsAboutRows } from './backup-command.ts';
import { fail, silent } from './command.ts';

const USAGE = `Writes all of the database, as it is at one moment, to one file. With PostgreSQL SmartPause goes on meanwhile;
with the embedded database stop it first.

  npm run backup -- <file> [--overwrite]

The file fits both databases: npm run restore. The key that opens Meta's access tokens is not in it.
`;

async function main(): Promise<void> {
  const { file, overwrite } = readArguments(
    { usage: USAGE, flags: ['overwrite'], takesWords: true },
    ({ words: [file = '', ...rest], flags }) => {
      if (file === '' || rest.length > 0) throw new NotUnderstood('It takes the name of one file.');
      return { file, overwrite: flags.has('overwrite') };
    },
  );
  const config = readDatabaseConfig(process.env);
  const { databaseUrl: url, dataDir } = config;
  if (url === undefined && !hasDatabase(dataDir)) throw new Error(`There is no database in ${dataDir}.`);
  const database = await openDatabase({ url, dataDir, log: silent, maxConnections: 1 });
  try {
    const now = systemClock.now();
    const written = await writeBackup(createDb(database.pool), { file, overwrite, now });
    const words = [
      `${file}: ${wordsAboutRows(written)} (${nameOfDatabase(config)}), as of ${written.header.at}, written and read again.`,
      wordsAboutKeys(await lookForKeys(written.header.keyIds, config)),
    ];
    process.stdout.write(`${words.join('\n')}\n`);
  } finally {
    await database.close();
  }
}

function wordsAboutKeys(keys: { place: string; missing: string[] }): string {
  if (keys.missing.length > 0) return wordsAboutMissing(keys);
  return (
    `Not in it: the key that opens Meta's access tokens, which is in ${keys.place}. Keep that as well, and elsewhere:\n` +
    'without it everybody has to log in again, and trials of those who left are forgotten.'
  );
}

main().catch(fail);
