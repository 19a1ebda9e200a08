import type { Database } from '../src/server/db/open-database.ts';
import { openDatabase } from '../src/server/db/open-database.ts';
import { prepareDevelopment } from './development.ts';

/** Commands print their own output. */
export const silent = { info: nothing, warn: nothing, error: nothing };

function nothing(): void {
  return undefined;
}

/**
 * Opens the configured database for a command; outside production the embedded one, also that of a running SmartPause.
 * @param read reads the command's configuration from the environment
 */
export async function withDatabase<Config extends { databaseUrl: string }>(
  read: (environment: NodeJS.ProcessEnv) => Config,
  act: (database: Database, config: Config) => Promise<void>,
  { mayCreateDatabase = false } = {},
): Promise<void> {
  await using development = await prepareDevelopment(process.env, { isCommand: true, mayCreateDatabase });
  const config = read(development.environment);
  const database = await openDatabase({ url: config.databaseUrl, log: silent });
  try {
    await act(database, config);
  } finally {
    await database.close();
  }
}

/** Ends a program with 1. Prints the error in one sentence, or for LOG_LEVEL=debug with its stack. */
export function fail(error: unknown, hint = ''): never {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${process.env['LOG_LEVEL'] === 'debug' ? (stack ?? message) : message}${hint}\n`);
  process.exit(1);
}
