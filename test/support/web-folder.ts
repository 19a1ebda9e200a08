import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the server needs of a built web app, for tests that show nobody a page. */
export async function writeDocuments(folder: string): Promise<void> {
  for (const name of ['index.html', 'landing.html']) {
    await writeFile(join(folder, name), '<!doctype html><html><head></head><body></body></html>');
  }
}
