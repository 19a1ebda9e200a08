import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../src/server/db/pool.ts';
import { newSecret } from '../src/server/secrets.ts';

export interface Development extends AsyncDisposable {
  /** The given environment, with DATABASE_URL and ENCRYPTION_KEY. */
  environment: NodeJS.ProcessEnv;
  /** No other process uses the database. */
  ownsDatabase: boolean;
  /** Stops the embedded PostgreSQL if this process started it. */
  stop: () => Promise<void>;
}

interface DevelopmentOptions {
  /** A command uses the PostgreSQL of a running SmartPause, and creates no key. */
  isCommand: boolean;
  mayCreateDatabase: boolean;
}

const SERVER: DevelopmentOptions = { isCommand: false, mayCreateDatabase: true };

/** Outside production, an embedded PostgreSQL and a key in DATA_DIR take the place of absent settings. */
export async function prepareDevelopment(
  given: NodeJS.ProcessEnv,
  options: DevelopmentOptions = SERVER,
): Promise<Development> {
  const isProduction = given['NODE_ENV'] === 'production';
  const dataDir = given['DATA_DIR'] || './data';
  const server = isProduction || given['DATABASE_URL'] ? null : await startServer(dataDir, options);
  const isKeyGiven = isProduction || Boolean(given['ENCRYPTION_KEY']);
  const key = isKeyGiven ? null : await localKey(dataDir, !options.isCommand);
  const stop = async (): Promise<void> => server?.stop();
  return {
    environment: {
      ...given,
      ...(server !== null && { DATABASE_URL: server.url }),
      ...(key !== null && { ENCRYPTION_KEY: key }),
    },
    ownsDatabase: server?.isOurs ?? false,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function startServer(dataDir: string, { isCommand, mayCreateDatabase }: DevelopmentOptions) {
  // Imported only here: the production image does not have it.
  const { hasDevPostgres, startDevPostgres } = await import('./dev-postgres/server.ts');
  if (!mayCreateDatabase && !hasDevPostgres(dataDir))
    throw new Error(`There is no database in ${dataDir} (DATA_DIR).`);
  return startDevPostgres(dataDir, { share: isCommand });
}

/** The key of this machine, beside the data that it encrypts. Null: it is not there, and may not be created. */
async function localKey(dataDir: string, mayCreate: boolean): Promise<string | null> {
  const file = join(dataDir, 'encryption-key');
  if (mayCreate) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(file, newSecret(), { flag: 'wx', mode: 0o600 }).catch(ignore('EEXIST'));
  }
  return (await readFile(file, 'utf8').catch(ignore('ENOENT')))?.trim() ?? null;
}

function ignore(code: string) {
  return (error: unknown): null => {
    if (codeOf(error) === code) return null;
    throw error;
  };
}
