import { systemClock } from '../src/server/clock.ts';
import { readDatabaseConfig } from '../src/server/config.ts';
import { restoreBackup } from '../src/server/db/backup/restore.ts';
import type { Restored } from '../src/server/db/backup/restore.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { NotUnderstood, readArguments } from './arguments.ts';
import { lookForKeys, wordsAboutMissing, wordsAboutRows, wordsAboutTheRest } from './backup-command.ts';
import { fail, silent } from './command.ts';

const USAGE = `Restores what npm run backup wrote, into the database of DATABASE_URL or DATA_DIR: all of it or nothing. Stop all
processes of SmartPause first.

  npm run restore -- <file> [--replace] [--not-run-since]

--replace        what is there may go; an embedded database is kept beside the restored one
--not-run-since  SmartPause was stopped for this backup and has not run since. Without it everybody has to log in again,
                 since sessions that were ended after the backup would be good again.

What SmartPause did after the backup it knows nothing of then: docs/operate.md says what to look at.
`;

async function main(): Promise<void> {
  const { file, replace, isLatest } = readArguments(
    { usage: USAGE, flags: ['replace', 'not-run-since'], takesWords: true },
    ({ words: [file = '', ...rest], flags }) => {
      if (file === '' || rest.length > 0) throw new NotUnderstood('It takes the name of one file.');
      return { file, replace: flags.has('replace'), isLatest: flags.has('not-run-since') };
    },
  );
  const config = readDatabaseConfig(process.env);
  const { databaseUrl: url, dataDir } = config;
  const now = systemClock.now();
  const restored = await restoreBackup(file, {
    url,
    dataDir,
    migrations,
    replace,
    isLatest,
    now,
    log: silent,
  });
  const keys = await lookForKeys(restored.header.keyIds, config);
  const where = url === undefined ? dataDir : 'the database of DATABASE_URL';
  const words = [
    `Restored into ${where}: ${wordsAboutRows(restored)}, as of ${restored.header.at}, read back and compared.`,
    ...wordsAboutTheRest(restored, 'the file'),
    ...wordsAboutWhatWasThere(restored),
    ...(keys.missing.length === 0 ? [] : [wordsAboutMissing(keys)]),
    ...(isLatest ? [] : wordsAboutTheGap(restored, restored.header.at)),
  ];
  process.stdout.write(`${words.join('\n')}\n`);
}

function wordsAboutWhatWasThere({ former, applied }: Restored): string[] {
  return [
    ...(applied.length === 0 ? [] : [`Brought up to this version: ${applied.join(', ')}.`]),
    ...(former === null
      ? []
      : [`The database that was there is kept in ${former}. Delete it when all is well.`]),
  ];
}

function wordsAboutTheGap({ found }: Restored, since: string): string[] {
  return [
    'All sessions were ended: everybody logs in again.',
    `${found.held} campaigns were held then, and ${found.unsent} mails were not sent; they may be sent a second time.`,
    ...(found.directive === null
      ? []
      : [`An administrator's override of the status counts again: ${found.directive}. Look at /admin.`]),
    `What SmartPause has paused since ${since} it does not know of. Before you start it, see docs/operate.md.`,
  ];
}

main().catch(fail);
