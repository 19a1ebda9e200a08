import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSecret } from './secrets.ts';

/** The key of this machine for whoever has not configured one: made once, kept beside the data it seals. */
export async function localKey(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'encryption-key');
  try {
    await writeFile(path, newSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}
