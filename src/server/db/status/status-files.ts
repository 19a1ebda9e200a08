import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';

/** One file of Meta's status page as it was served. */
export interface StatusFile {
  path: string;
  body: string;
}

/** Stores each file that differs from all earlier ones; a known file only gets a new time. */
export async function noteStatusFiles(db: Db, files: readonly StatusFile[], now: Instant): Promise<void> {
  if (files.length === 0) return;
  const given = files.map((file) => ({ ...file, hash: createHash('sha256').update(file.body).digest() }));
  const { rows: known } = await sql<{ path: string }>`
    update status_files set last_at = ${timestamp(now)}
    from unnest(${given.map(({ path }) => path)}::text[], ${given.map(({ hash }) => hash)}::bytea[]) seen(path, sha256)
    where status_files.path = seen.path and status_files.sha256 = seen.sha256
    returning status_files.path`.execute(db);
  const fresh = given.filter(({ path }) => !known.some((one) => one.path === path));
  if (fresh.length === 0) return;
  const at = new Date(now);
  await db
    .insertInto('statusFiles')
    .values(
      fresh.map(({ path, body, hash }) => ({
        path,
        sha256: hash,
        firstAt: at,
        lastAt: at,
        body: zstdCompressSync(body),
      })),
    )
    .onConflict((conflict) => conflict.columns(['path', 'sha256']).doUpdateSet({ lastAt: at }))
    .execute();
}

/** The last version of each file. */
export async function findLastStatusFiles(db: Db): Promise<StatusFile[]> {
  const rows = await db
    .selectFrom('statusFiles')
    .distinctOn('path')
    .select(['path', 'body'])
    .orderBy('path')
    .orderBy('lastAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ path, body }) => ({ path, body: zstdDecompressSync(body).toString() }));
}

export interface StoredStatusFile extends StatusFile {
  /** When it was first and last read. */
  firstAt: Instant;
  lastAt: Instant;
  sha256: string;
}

/**
 * The versions that were served at these times, as far as they were read, oldest first. A version that is served again has
 * one row, so one that was read before the first of these times and after the last says nothing about them.
 */
export async function findStatusFilesAt(db: Db, times: readonly Instant[]): Promise<StoredStatusFile[]> {
  const [first, last] = [timestamp(Math.min(...times)), timestamp(Math.max(...times))];
  const at = sql`unnest(${times.map((one) => new Date(one).toISOString())}::timestamptz[]) as of(at)`;
  const { rows } = await sql<Omit<StoredStatusFile, 'body'> & { body: Uint8Array }>`
    select path, first_at, last_at, encode(sha256, 'hex') as sha256, body from status_files
    where last_at >= ${first} and first_at <= ${last} and exists (select from ${at} where first_at <= at and last_at >= at)
      and not (first_at < ${first} and last_at > ${last})
    order by first_at, path`.execute(db);
  return rows.map(({ body, ...file }) => ({ ...file, body: zstdDecompressSync(body).toString() }));
}
