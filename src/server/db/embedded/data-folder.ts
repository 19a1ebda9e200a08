import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseLog } from '../pool/pool.ts';
import { PostgresCluster } from './cluster.ts';
import { canReach, giveTo, serverIdentity } from './identity.ts';

/** What the embedded engine of former versions left in DATA_DIR. */
const FORMER = ['pglite', 'pglite.whole', 'pglite.moved'];
/** For root, whose own folders PostgreSQL's user may not enter. The first survives a restart of the machine for sure. */
const OPEN_TO_ALL = ['/var/lib', '/var/tmp', os.tmpdir()];

/** Whether there is an embedded database in it; nothing is made. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return PostgresCluster.isIn(placeIn(dataDir));
}

/** The folder for the cluster of this DATA_DIR, which is made if there is none. */
export function claimDataFolder(dataDir: string, log: DatabaseLog): string {
  refuseFormer(dataDir);
  refuseRootForOthers(path.resolve(dataDir));
  const identity = serverIdentity();
  // PostgreSQL's user passes through it, and may not list it.
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
      'PostgreSQL runs as nobody, who cannot enter DATA_DIR: its data is in another folder',
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

/** Only root is asked: any other user who may write there was let in by the owner. */
function refuseRootForOthers(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = fs.statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner === 0) return;
  throw new Error(
    `${folder} belongs to the user with the id ${owner}, who could not open what root writes there. ` +
      'Run this as that user: sudo -u, with the settings of the service.',
  );
}
