import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Http, HttpResult } from '../../http.ts';
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

interface Received extends StatusFile {
  list: readonly unknown[];
  /** By the clock of the server; null: unknown, or too far ahead of ours to compare with. */
  datedAt: Instant | null;
}

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
  const datedAt = new Map<string, Instant | null>();
  const headers = { accept: 'application/json', 'user-agent': 'SmartPause', 'cache-control': 'no-cache' };
  return async (path) => {
    const response = await http.send({
      method: 'GET',
      url: new URL(base + path),
      headers,
      timeoutMs: TIMEOUT_MS,
    });
    const file = interpret(response, { path, lastDatedAt: datedAt.get(path) ?? null }, now());
    if (typeof file === 'string') return { path, list: null, trouble: file };
    datedAt.set(path, file.datedAt);
    return { path, body: file.body, list: file.list, trouble: null };
  };
}

/** A text says why it is no list. */
function interpret(
  response: HttpResult,
  { path, lastDatedAt }: { path: string; lastDatedAt: Instant | null },
  now: Instant,
): Received | string {
  if (!response.ok) return `no response, ${excerpt(response.message)}`;
  const { status, headers, body } = response;
  if (status !== 200) return `HTTP ${status}`;
  const { ageMs, date } = ageOf(headers, now);
  if (ageMs > OUT_OF_DATE_MS) return `HTTP 200, ${Math.round(ageMs / minutes(1))} minutes old`;
  if (lastDatedAt !== null && date < lastDatedAt - SERVERS_APART_MS)
    return 'HTTP 200, older than the last one';
  const list = parseJson(body);
  if (!Array.isArray(list)) {
    const what = list === undefined ? 'no JSON' : 'no list';
    return `${what}, but ${JSON.stringify(excerpt(body.slice(0, 200)))}`;
  }
  return { path, list, body, datedAt: date <= now + OUT_OF_DATE_MS ? date : null };
}

/** By the origin's date, which may be missing, and the cache's own count. */
function ageOf(headers: Record<string, string>, now: Instant): { ageMs: number; date: Instant } {
  const date = Date.parse(headers['date'] ?? '');
  const ages = [now - date, seconds(Number(headers['age'] ?? NaN))].filter((age) => !Number.isNaN(age));
  return { ageMs: Math.max(0, ...ages), date };
}
