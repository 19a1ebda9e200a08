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
/** A 304 that is older is no proof that the origin has confirmed it, so the file is requested in full. */
const IN_DOUBT_MS = minutes(1);
/** An ETag can stay the same while the content changes. */
const UNCONDITIONAL_EVERY_MS = minutes(3);
/** Clocks of Meta's servers differ by this at most; a response dated earlier than the last one is an old copy. */
const SERVERS_APART_MS = seconds(10);

interface Kept {
  list: readonly unknown[];
  body: string;
  validators: Record<string, string>;
  /** When it was last sent in full; -Infinity: the next request is unconditional. */
  sentAt: Instant;
  /** By the clock of the server; null: unknown, or too far ahead of ours to compare with. */
  datedAt: Instant | null;
}

/** Reads files of the status page: lists in JSON. Unknown paths have an HTML page with status 200. */
export function createFileReader({
  http,
  timeoutMs,
  base,
  now,
}: {
  http: Http;
  timeoutMs: number;
  base: string;
  now: () => Instant;
}): (path: string) => Promise<FileRead> {
  const kept = new Map<string, Kept>();
  const request = (path: string, extra: Record<string, string>): Promise<HttpResult> => {
    const headers = { accept: 'application/json', 'user-agent': 'SmartPause', ...extra };
    return http.send({ method: 'GET', url: new URL(base + path), headers, timeoutMs });
  };
  const read = async (path: string, last: Kept | undefined): Promise<Kept | { trouble: string }> => {
    const mayBeUnchanged = last !== undefined && now() - last.sentAt < UNCONDITIONAL_EVERY_MS;
    if (mayBeUnchanged && Object.keys(last.validators).length > 0) {
      const answer = await request(path, last.validators);
      if (!answer.ok || answer.status !== 304) return interpret(answer, last, now());
      const same = confirmed(last, answer.headers, now());
      if (same !== null) return same;
    }
    return interpret(await request(path, { 'cache-control': 'no-cache' }), last, now());
  };
  return async (path) => {
    const last = kept.get(path);
    const file = await read(path, last);
    if ('trouble' in file) {
      if (last !== undefined) last.sentAt = -Infinity;
      return { path, list: null, trouble: file.trouble };
    }
    kept.set(path, file);
    return { path, body: file.body, list: file.list, trouble: null };
  };
}

/** The file after a 304; null: nothing shows that the origin has just confirmed it. */
function confirmed(known: Kept, headers: Record<string, string>, now: Instant): Kept | null {
  const { ageMs, date, datedAt } = ageOf(headers, now);
  const isDoubtful = ageMs === null || ageMs > IN_DOUBT_MS || isOlder(date, known);
  return isDoubtful ? null : { ...known, datedAt };
}

function interpret(answer: HttpResult, last: Kept | undefined, now: Instant): Kept | { trouble: string } {
  if (!answer.ok) return { trouble: `no answer, ${excerpt(answer.message)}` };
  const { status, headers, body } = answer;
  if (status !== 200) return { trouble: `HTTP ${status}` };
  const { ageMs, date, datedAt } = ageOf(headers, now);
  if (ageMs !== null && ageMs > OUT_OF_DATE_MS)
    return { trouble: `HTTP 200, ${Math.round(ageMs / minutes(1))} minutes old` };
  if (isOlder(date, last)) return { trouble: 'HTTP 200, older than the last one' };
  const list = parseJson(body);
  if (!Array.isArray(list)) {
    const what = list === undefined ? 'no JSON' : 'no list';
    return { trouble: `${what}, but ${JSON.stringify(excerpt(body.slice(0, 200)))}` };
  }
  return { list, body, validators: validatorsOf(headers), sentAt: now, datedAt };
}

/** By the origin's date and the cache's own count; null: neither is known. */
function ageOf(headers: Record<string, string>, now: Instant) {
  const date = Date.parse(headers['date'] ?? '');
  const ages = [now - date, seconds(Number(headers['age'] ?? NaN))].filter((age) => !Number.isNaN(age));
  return {
    ageMs: ages.length === 0 ? null : Math.max(0, ...ages),
    date,
    datedAt: date <= now + OUT_OF_DATE_MS ? date : null,
  };
}

function isOlder(date: Instant, last: Kept | undefined): boolean {
  return last?.datedAt != null && date < last.datedAt - SERVERS_APART_MS;
}

function validatorsOf({
  etag,
  'last-modified': lastModified,
}: Record<string, string>): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}
