import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseLog } from '../pool/pool.ts';
import { PostgresCluster } from './cluster.ts';
import { canReach, giveTo, serverIdentity } from './identity.ts';

/** Files that the embedded database of earlier versions left in DATA_DIR. */
const FORMER = ['pglite', 'pglite.whole', 'pglite.moved'];
/**
 * For root, since the PostgreSQL user cannot enter root's own folders. Only the first surely survives a
 * reboot.
 */
const OPEN_TO_ALL = ['/var/lib', '/var/tmp', os.tmpdir()];

/** Creates nothing. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return PostgresCluster.isIn(placeIn(dataDir));
}

/** Returns the cluster folder of this DATA_DIR and creates it if necessary. */
export function claimDataFolder(dataDir: string, log: DatabaseLog): string {
  refuseFormer(dataDir);
  refuseRootForOthers(path.resolve(dataDir));
  const identity = serverIdentity();
  // The PostgreSQL user may pass through the folder but not list it.
  fs.mkdirSync(dataDir, { recursive: true, mode: identity.uid === undefined ? 0o700 : 0o711 });
  const place = placeIn(dataDir);
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined && canReach(dataDir, identity)) {
    fs.mkdirSync(place, { mode: 0o700 });
    return place;
  }
  if (found === undefined) {
    const elsewhere = makeElsewhere();
    giveTo(identity, elsewhere);
    fs.symlinkSync(elsewhere, place);
  }
  const home = followLink(place);
  if (fs.lstatSync(place).isSymbolicLink()) {
    log.info(
      { folder: home },
      'PostgreSQL cannot enter DATA_DIR as an unprivileged user: its data is in another folder',
    );
  }
  return home;
}

function placeIn(dataDir: string): string {
  return path.resolve(dataDir, 'postgres');
}

function followLink(place: string): string {
  try {
    return fs.realpathSync(place);
  } catch (cause) {
    throw new Error(`The data of ${place} is in ${fs.readlinkSync(place)}, which is not there.`, { cause });
  }
}

function makeElsewhere(): string {
  const name = `smartpause-${randomBytes(6).toString('hex')}`;
  for (const folder of OPEN_TO_ALL) {
    try {
      const made = path.join(folder, name);
      fs.mkdirSync(made, { mode: 0o700 });
      return made;
    } catch {
      continue;
    }
  }
  throw new Error(
    `No folder for PostgreSQL's data can be made in ${OPEN_TO_ALL.join(', ')}: set DATABASE_URL.`,
  );
}

function refuseFormer(dataDir: string): void {
  const former = FORMER.map((name) => path.resolve(dataDir, name)).find((one) => fs.existsSync(one));
  if (former === undefined) return;
  throw new Error(
    `${former} is a database of the former embedded engine, which this version cannot read: set another DATA_DIR, or move the folder away.`,
  );
}

/** Checks root only: for any other user the owner of the folder has granted write access. */
function refuseRootForOthers(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = fs.statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner === 0) return;
  throw new Error(
    `${folder} belongs to the user with the id ${owner}, who could not open what root writes there. ` +
      'Run this as that user: sudo -u, with the settings of the service.',
  );
}
