import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './db/pool/pool.ts';
import { newSecret } from './secrets.ts';

/** The key of this machine if none is configured. Created once, stored beside the data that it encrypts. */
export async function localKey(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = pathOfLocalKey(dataDir);
  try {
    await writeFile(path, newSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

/** Null: no key was created there. */
export async function findLocalKey(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(pathOfLocalKey(dataDir), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function pathOfLocalKey(dataDir: string): string {
  return join(dataDir, 'encryption-key');
}
