import { readDatabaseConfig } from '../src/server/config.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { nameOfDatabase } from '../src/server/db/name-of-database.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import { takeNoArguments } from './arguments.ts';
import { fail, silent } from './command.ts';

/** For a database role that may not change tables: the operator runs this as the owner before an update. */
async function main(): Promise<void> {
  const config = readDatabaseConfig(process.env);
  const { databaseUrl: url, dataDir } = config;
  const database = await openDatabase({ url, dataDir, share: true, log: silent });
  try {
    const applied = await migrate(database, migrations);
    const done = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`;
    console.log(`${done} (${nameOfDatabase(config)})`);
  } finally {
    await database.close();
  }
}

takeNoArguments('npm run migrate    brings the database of DATABASE_URL or DATA_DIR up to date');
main().catch(fail);
