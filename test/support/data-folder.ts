import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder for an embedded database: as root, PostgreSQL runs as another user, who must be able to enter it. */
export async function makeDataFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `smartpause-${name}-`));
  await chmod(folder, 0o711);
  return folder;
}
