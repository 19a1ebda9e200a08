import fs from 'node:fs';
import path from 'node:path';

/** The user that PostgreSQL runs as; empty: the user of this process. */
export interface Identity {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root, so a server for root runs as an unprivileged user. */
export function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and there is no unprivileged user for it: set DATABASE_URL.',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether that user can reach the target through all folders above it. */
export function canReach(target: string, { uid, gid }: Identity): boolean {
  if (uid === undefined || gid === undefined) return true;
  const allows = (place: string, wanted: number): boolean => {
    const { mode, uid: owner, gid: group } = fs.statSync(place);
    const shift = owner === uid ? 6 : group === gid ? 3 : 0;
    return ((mode >> shift) & wanted) === wanted;
  };
  const ENTER = 1;
  const READ = 4;
  const file = fs.realpathSync(target);
  if (!allows(file, fs.statSync(file).isDirectory() ? ENTER : READ)) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (!allows(folder, ENTER)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

export function giveTo({ uid, gid }: Identity, ...files: string[]): void {
  if (uid === undefined || gid === undefined) return;
  for (const file of files) fs.chownSync(file, uid, gid);
}
