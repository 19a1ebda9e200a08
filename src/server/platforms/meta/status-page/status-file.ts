import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Http } from '../../http.ts';
import { parseJson } from '../client.ts';
import { excerpt } from './status-text.ts';

/** A JSON file of the status page. */
export interface StatusFile {
  path: string;
  body: string;
}

export type FileRead =
  | (StatusFile & { list: readonly unknown[]; trouble: null })
  /** The trouble: why there is no list. */
  | { path: string; list: null; trouble: string };

/**
 * A response that its origin dated earlier is out of date. Shorter, a clock of ours that is ahead by some minutes would
 * refuse everything; longer, a cache could hide an outage.
 */
const OUT_OF_DATE_MS = minutes(5);
/** Clocks of Meta's servers differ by this at most; a response dated earlier than the last one is an old copy. */
const SERVERS_APART_MS = seconds(10);

/** A file that is sent more slowly is not read. */
const TIMEOUT_MS = seconds(8);

/**
 * Reads files of the status page: lists in JSON. Unknown paths have an HTML page with status 200.
 * Each is requested in full: a cache may respond 304 without asking its origin.
 */
export function createFileReader({
  http,
  base,
  now,
}: {
  http: Http;
  base: string;
  now: () => Instant;
}): (path: string) => Promise<FileRead> {
  /** By the clock of the server; absent: unknown, or too far ahead of ours to compare with. */
  const datedAt = new Map<string, Instant>();
  const headers = { accept: 'application/json', 'user-agent': 'SmartPause', 'cache-control': 'no-cache' };
  return async (path) => {
    const url = new URL(base + path);
    const response = await http.send({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS });
    const failed = (trouble: string) => ({ path, list: null, trouble });
    if (!response.ok) return failed(`no response, ${excerpt(response.message)}`);
    if (response.status !== 200) return failed(`HTTP ${response.status}`);
    const date = Date.parse(response.headers['date'] ?? '');
    // By the origin's date, which may be missing, and the cache's own count.
    const ages = [now() - date, seconds(Number(response.headers['age']))].filter((age) => age >= 0);
    const ageMs = Math.max(0, ...ages);
    if (ageMs > OUT_OF_DATE_MS) return failed(`HTTP 200, ${Math.round(ageMs / minutes(1))} minutes old`);
    if (date < (datedAt.get(path) ?? -Infinity) - SERVERS_APART_MS)
      return failed('HTTP 200, older than the last one');
    const list = parseJson(response.body);
    if (!Array.isArray(list)) {
      const what = list === undefined ? 'no JSON' : 'no list';
      return failed(`${what}, but ${JSON.stringify(excerpt(response.body.slice(0, 200)))}`);
    }
    if (date <= now() + OUT_OF_DATE_MS) datedAt.set(path, date);
    else datedAt.delete(path);
    return { path, list, body: response.body, trouble: null };
  };
}
