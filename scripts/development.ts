import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../src/server/db/pool/pool.ts';
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
  { isCommand, mayCreateDatabase }: DevelopmentOptions = SERVER,
): Promise<Development> {
  const valueOf = (name: string): string | undefined => given[name] || undefined;
  const dataDir = valueOf('DATA_DIR') ?? './data';
  if (valueOf('NODE_ENV') === 'production') return withoutServer(given);
  const { environment, ...server } =
    valueOf('DATABASE_URL') === undefined
      ? await withServer(given, dataDir, { isCommand, mayCreateDatabase })
      : withoutServer(given);
  const key = valueOf('ENCRYPTION_KEY') ?? (await localKey(dataDir, !isCommand));
  return { ...server, environment: { ...environment, ...(key !== null && { ENCRYPTION_KEY: key }) } };
}

function withoutServer(environment: NodeJS.ProcessEnv): Development {
  const stop = (): Promise<void> => Promise.resolve();
  return { environment, ownsDatabase: false, stop, [Symbol.asyncDispose]: stop };
}

async function withServer(
  given: NodeJS.ProcessEnv,
  dataDir: string,
  { isCommand, mayCreateDatabase }: DevelopmentOptions,
): Promise<Development> {
  // Imported only here: the production image does not have it.
  const { hasDevPostgres, startDevPostgres } = await import('./dev-postgres/server.ts');
  if (!mayCreateDatabase && !hasDevPostgres(dataDir)) throw new Error(`There is no database in ${dataDir}.`);
  const server = await startDevPostgres(dataDir, { share: isCommand });
  const stop = (): Promise<void> => server.stop();
  const environment = { ...given, DATABASE_URL: server.url };
  return { environment, ownsDatabase: server.isOurs, stop, [Symbol.asyncDispose]: stop };
}

/** The key of this machine, beside the data that it encrypts. Null: it is not there, and may not be created. */
async function localKey(dataDir: string, mayCreate: boolean): Promise<string | null> {
  const file = join(dataDir, 'encryption-key');
  try {
    if (mayCreate) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await writeFile(file, newSecret(), { flag: 'wx', mode: 0o600 });
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
