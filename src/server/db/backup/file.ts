import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { syncFolder } from '../pool/durable-fs.ts';
import type { Piece } from './rows.ts';
import { PIECE } from './rows.ts';
import { sequenceState, tableShape } from './tables.ts';

// A backup is lines of JSON, packed by gzip: a header, then for each table a line with its name and one for each row (the
// list of its values as text, or null), and at last how many lines there are and the SHA-256 of all of them. It belongs to
// neither database: either reads what the other wrote.

const FORMAT = 'smartpause-backup';
const VERSION = 1;
/** No row of ours comes near this; a file without line ends is none of ours. */
const LONGEST_LINE = 64 * 1024 * 1024;

const header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** When its rows were read, all of them as of one moment. */
  at: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(tableShape),
  sequences: z.array(sequenceState),
  /** The ids of the keys that open the access tokens in it. The keys are not in it. */
  keyIds: z.array(z.string()),
});
export type Header = z.infer<typeof header>;

const tableLine = z.strictObject({ table: z.string() });
const endLine = z.strictObject({ lines: z.number().int(), sha256: z.string() });

/** The file is not a backup, or not the one that was written. */
export class UnusableBackupError extends Error {
  override readonly name = 'UnusableBackupError';
}

/**
 * Writes beside its place, reads it again, and only then gives it its name: a file of that name is a whole backup.
 * @param pieces begins when the file can be written
 */
export async function writeBackupFile(
  file: string,
  given: { contents: (write: Writer) => AsyncIterable<string>; overwrite: boolean },
): Promise<void> {
  const draft = `${file}.unfinished`;
  refuseExisting(file, given.overwrite);
  rmSync(draft, { force: true });
  try {
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(given.contents(new Writer())), createGzip(), target);
    await verifyBackupFile(draft);
    refuseExisting(file, given.overwrite);
    renameSync(draft, file);
    syncFolder(path.dirname(path.resolve(file)));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function refuseExisting(file: string, overwrite: boolean): void {
  if (!overwrite && existsSync(file)) throw new Error(`${file} is there already; --overwrite replaces it.`);
}

/** Makes the lines of a backup. */
export class Writer {
  readonly #hash = createHash('sha256');
  #lines = 0;
  #table: string | null = null;

  header(facts: Omit<Header, 'format' | 'version'>): string {
    return this.#add([JSON.stringify({ format: FORMAT, version: VERSION, ...facts })]);
  }

  piece({ table, rows }: Piece): string {
    if (table === this.#table) return this.#add(rows);
    this.#table = table;
    return this.#add([JSON.stringify({ table }), ...rows]);
  }

  end(): string {
    return `${JSON.stringify({ lines: this.#lines, sha256: this.#hash.digest('hex') })}\n`;
  }

  #add(lines: readonly string[]): string {
    const text = lines.map((line) => `${line}\n`).join('');
    this.#hash.update(text);
    this.#lines += lines.length;
    return text;
  }
}

/** @throws UnusableBackupError unless every line of it is as it was written. */
export async function verifyBackupFile(file: string): Promise<Header> {
  const backup = await openBackupFile(file);
  // Its last piece comes when the end of the file has said that all of it is as it was written.
  while ((await backup.pieces.next()).done !== true);
  return backup.header;
}

/** Its rows are good only when the last piece has come: the end of the file says whether all were as written. */
export async function openBackupFile(
  file: string,
): Promise<{ header: Header; pieces: AsyncGenerator<Piece> }> {
  const hash = createHash('sha256');
  const lines = readLines(file);
  const first = await lines.next();
  if (first.done === true) throw new UnusableBackupError(`${file} is empty.`);
  hash.update(`${first.value}\n`);
  return { header: readHeader(file, first.value), pieces: readPiecesOf(file, lines, hash) };
}

function readHeader(file: string, line: string): Header {
  const given = parse(line);
  const isOurs = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(given);
  if (!isOurs.success) throw new UnusableBackupError(`${file} is not a backup of SmartPause.`);
  if (isOurs.data.version > VERSION) {
    throw new UnusableBackupError(
      `${file} was written by a newer version of SmartPause. Restore it with that one.`,
    );
  }
  const parsed = header.safeParse(given);
  if (!parsed.success) throw damaged(file, 'its header cannot be read');
  return parsed.data;
}

async function* readPiecesOf(
  file: string,
  lines: AsyncGenerator<string>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Piece> {
  let count = 1;
  let piece: Piece | null = null;
  for await (const line of lines) {
    const isRow = line.startsWith('[');
    if (!isRow) {
      const end = endLine.safeParse(parse(line)).data;
      if (end !== undefined) {
        const rest = await lines.next();
        if (rest.done !== true || end.lines !== count || end.sha256 !== hash.digest('hex'))
          throw damaged(file, 'its contents are not what was written');
        if (piece !== null) yield piece;
        return;
      }
    }
    hash.update(`${line}\n`);
    count += 1;
    if (isRow) {
      if (piece === null) throw damaged(file, 'a row belongs to no table');
      piece.rows.push(line);
      if (piece.rows.length < PIECE) continue;
      yield piece;
      piece = { table: piece.table, rows: [] };
    } else {
      const next = tableLine.safeParse(parse(line)).data;
      if (next === undefined) throw damaged(file, 'a line of it cannot be read');
      if (piece !== null) yield piece;
      piece = { table: next.table, rows: [] };
    }
  }
  throw damaged(file, 'its end is missing');
}

async function* readLines(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(file), unpacked);
  reading.catch(() => undefined);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new UnusableBackupError(`${file} is not a backup of SmartPause.`);
      yield* parts;
    }
    await reading;
  } catch (error) {
    throw unreadable(file, error);
  }
  if (rest !== '') throw damaged(file, 'its end is missing');
}

function unreadable(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_DATA_ERROR')
    return new UnusableBackupError(`${file} is not a backup of SmartPause, or damaged.`);
  if (code === 'Z_BUF_ERROR') return damaged(file, 'its end is missing');
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return damaged(file, 'its contents are not what was written');
  return error;
}

function damaged(file: string, why: string): UnusableBackupError {
  return new UnusableBackupError(`${file} is damaged: ${why}. Nothing was restored from it.`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
