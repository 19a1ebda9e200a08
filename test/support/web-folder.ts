import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The documents that the server needs, for tests without a browser. */
export async function writeDocuments(folder: string): Promise<void> {
  for (const name of ['index.html', 'landing.html']) {
    await writeFile(join(folder, name), '<!doctype html><html><head></head><body></body></html>');
  }
}
