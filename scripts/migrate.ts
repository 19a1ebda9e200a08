import { readDatabaseConfig } from '../src/server/config/read-config.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/all.ts';
import { nameOfDatabase } from '../src/server/db/open-database.ts';
import { takeNoArguments } from './arguments.ts';
import { fail, withDatabase } from './command.ts';

// For a database role that may not change tables: the operator runs this as the owner before an update.
takeNoArguments('npm run migrate    brings the database of DATABASE_URL or DATA_DIR up to date');
withDatabase(
  readDatabaseConfig,
  async (database, { databaseUrl }) => {
    const applied = await migrate(database, migrations);
    const done = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`;
    console.log(`${done} (${nameOfDatabase(databaseUrl)})`);
  },
  { mayCreateDatabase: true },
).catch(fail);
