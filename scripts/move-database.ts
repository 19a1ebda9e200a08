import { systemClock } from '../src/server/clock.ts';
import { readDatabaseConfig } from '../src/server/config.ts';
import { moveDatabase } from '../src/server/db/backup/move.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { nameOfDatabase } from '../src/server/db/name-of-database.ts';
import { pathOfLocalKey } from '../src/server/local-key.ts';
import { readArguments } from './arguments.ts';
import { lookForKeys, wordsAboutMissing, wordsAboutRows, wordsAboutTheRest } from './backup-command.ts';
import { fail, silent } from './command.ts';

const USAGE = `Moves everything from the embedded database in DATA_DIR to the PostgreSQL of DATABASE_URL, where nobody may be yet. Stop
SmartPause first.

  npm run move-database [-- --replace]

--replace   what is in the PostgreSQL may go

Every row is read back and compared. The embedded database stays as it was, under another name.
`;

async function main(): Promise<void> {
  const replace = readArguments({ usage: USAGE, flags: ['replace'] }, ({ flags }) => flags.has('replace'));
  const config = readDatabaseConfig(process.env);
  const { databaseUrl: url, dataDir, encryptionKeys } = config;
  if (url === undefined) throw new Error('DATABASE_URL says where to, and it is not set.');
  const now = systemClock.now();
  const moved = await moveDatabase({ url, dataDir, migrations, replace, now, log: silent });
  const keys = await lookForKeys(moved.keyIds, config);
  const words = [
    `Moved to ${nameOfDatabase(config)}: ${wordsAboutRows(moved)}, read back and compared. From now on start SmartPause with a`,
    'DATABASE_URL of it: of the role that can only change rows, if it has one (docs/database-roles.sql).',
    ...wordsAboutTheRest(moved, 'the embedded database'),
    ...(moved.former === null
      ? []
      : [`The embedded database is kept in ${moved.former}. Delete it when all is well.`]),
    ...(encryptionKeys === undefined
      ? [
          `The key that opens Meta's access tokens did not move: make the content of ${pathOfLocalKey(dataDir)} the ENCRYPTION_KEY of every process.`,
        ]
      : []),
    ...(encryptionKeys !== undefined && keys.missing.length > 0 ? [wordsAboutMissing(keys)] : []),
  ];
  process.stdout.write(`${words.join('\n')}\n`);
}

main().catch(fail);
