import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Chunk {
  file: string;
  name?: string;
  css?: string[];
  imports?: string[];
}

/** The bundler's manifest: the output files by source. */
type Manifest = Record<string, Chunk>;

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
}

/** The scripts and style sheets of these sources or named chunks, with all their static imports. */
export function filesOf(manifest: Manifest, sources: readonly string[]): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key] ?? Object.values(manifest).find(({ name }) => name === key);
    if (chunk === undefined) throw new Error(`${key} is not in the manifest`);
    // Dependencies first: later style sheets override earlier ones.
    for (const next of chunk.imports ?? []) add(next);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  };
  for (const source of sources) add(source);
  return [...files];
}
