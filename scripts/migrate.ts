import { readDatabaseConfig } from '../src/server/config.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { nameOfDatabase } from '../src/server/db/name-of-database.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import { takeNoArguments } from './arguments.ts';
import { fail, silent } from './command.ts';
import { prepareDevelopment } from './development.ts';

/** For a database role that may not change tables: the operator runs this as the owner before an update. */
async function main(): Promise<void> {
  await using development = await prepareDevelopment(process.env, {
    isCommand: true,
    mayCreateDatabase: true,
  });
  const { databaseUrl: url } = readDatabaseConfig(development.environment);
  const database = await openDatabase({ url, log: silent });
  try {
    const applied = await migrate(database, migrations);
    const done = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`;
    console.log(`${done} (${nameOfDatabase(url)})`);
  } finally {
    await database.close();
  }
}

takeNoArguments('npm run migrate    brings the database of DATABASE_URL or DATA_DIR up to date');
main().catch(fail);
