import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const WORTH_IT = /\.(js|css|svg)$/;
const BEST_GZIP = { level: constants.Z_BEST_COMPRESSION };

/** Writes a gzip and a Brotli version beside every text file, for content negotiation. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && WORTH_IT.test(entry.name));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const content = await readFile(path);
      await writeFile(`${path}.gz`, await promisify(gzip)(content, BEST_GZIP));
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
    }),
  );
}
