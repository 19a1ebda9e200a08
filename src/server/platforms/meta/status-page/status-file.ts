import { isOldCopy } from '#core/smartpause/status-reading.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Http } from '../../http.ts';
import type { StatusFile } from '../../platform.ts';
import { parseJson } from '../client.ts';
import { excerpt } from './status-text.ts';

export type FileRead =
  /** Date: by the clock of the server; null: unknown, or too far ahead of ours to compare with. */
  | (StatusFile & { list: readonly unknown[]; date: Instant | null; trouble: null })
  /** The trouble: why there is no list. */
  | { path: string; list: null; trouble: string };

/**
 * A response that its origin dated earlier is out of date. Shorter, a clock of ours that is ahead by some minutes would
 * refuse everything; longer, a cache could hide an outage.
 */
const OUT_OF_DATE_MS = minutes(5);

/** A file that is sent more slowly is not read. */
const TIMEOUT_MS = seconds(8);

/**
 * Reads files of the status page: lists in JSON. Unknown paths have an HTML page with status 200.
 * Each is requested in full: a cache may respond 304 without asking its origin.
 * @returns reads a file; `storedAt` is the latest date of this file
 */
export function createFileReader({
  http,
  base,
  now,
}: {
  http: Http;
  base: string;
  now: () => Instant;
}): (path: string, storedAt?: Instant) => Promise<FileRead> {
  const headers = { accept: 'application/json', 'user-agent': 'SmartPause', 'cache-control': 'no-cache' };
  return async (path, storedAt) => {
    const url = new URL(base + path);
    const response = await http.send({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS });
    const failed = (trouble: string) => ({ path, list: null, trouble });
    if (!response.ok) return failed(`no response, ${excerpt(response.message)}`);
    if (response.status !== 200) return failed(`HTTP ${response.status}`);
    const stated = Date.parse(response.headers['date'] ?? '');
    // By the origin's date, which may be missing, and the cache's own count.
    const ages = [now() - stated, seconds(Number(response.headers['age']))].filter((age) => age >= 0);
    const ageMs = Math.max(0, ...ages);
    if (ageMs > OUT_OF_DATE_MS) return failed(`HTTP 200, ${Math.round(ageMs / minutes(1))} minutes old`);
    const date = stated <= now() + OUT_OF_DATE_MS ? stated : null;
    if (isOldCopy(date, storedAt)) return failed('HTTP 200, older than the last one');
    const list = parseJson(response.body);
    if (!Array.isArray(list)) {
      const what = list === undefined ? 'no JSON' : 'no list';
      return failed(`${what}, but ${JSON.stringify(excerpt(response.body.slice(0, 200)))}`);
    }
    return { path, list, date, body: response.body, trouble: null };
  };
}
