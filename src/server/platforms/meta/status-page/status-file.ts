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

/**
 * Reads files of the status page: lists in JSON. Unknown paths have an HTML page with status 200.
 * @param now the clock that the servers date by: tests that move the product's clock do not move theirs
 */
export function createFileReader({
  http,
  timeoutMs,
  base,
  now = () => Date.now(),
}: {
  http: Http;
  timeoutMs: number;
  base: string;
  now?: () => Instant;
}): (path: string) => Promise<FileRead> {
  const kept = new Map<string, Kept>();
  return async (path) => {
    const last = kept.get(path);
    const isConditional = last !== undefined && now() - last.sentAt < UNCONDITIONAL_EVERY_MS;
    const headers = {
      accept: 'application/json',
      'user-agent': 'SmartPause',
      ...(isConditional ? last.validators : { 'cache-control': 'no-cache' }),
    };
    const answer = await http.send({ method: 'GET', url: new URL(base + path), headers, timeoutMs });
    const read = interpret(answer, { last, isConditional, now: now() });
    if ('trouble' in read) {
      if (last !== undefined) last.sentAt = -Infinity;
      return { path, list: null, trouble: read.trouble };
    }
    kept.set(path, read);
    return { path, body: read.body, list: read.list, trouble: null };
  };
}

function interpret(
  answer: HttpResult,
  { last, isConditional, now }: { last: Kept | undefined; isConditional: boolean; now: Instant },
): Kept | { trouble: string } {
  if (!answer.ok) return { trouble: `no answer, ${excerpt(answer.message)}` };
  const { status, headers, body } = answer;
  const isUnchanged = status === 304 && isConditional && last !== undefined;
  if (status !== 200 && !isUnchanged) return { trouble: `HTTP ${status}` };
  const date = Date.parse(headers['date'] ?? '');
  const ages = [now - date, seconds(Number(headers['age'] ?? NaN))].filter((age) => !Number.isNaN(age));
  // Then nothing shows that the origin has confirmed it.
  if (isUnchanged && ages.length === 0) return { trouble: 'HTTP 304 without a date' };
  const ageMs = Math.max(0, ...ages);
  if (ageMs > OUT_OF_DATE_MS)
    return { trouble: `HTTP ${status}, ${Math.round(ageMs / minutes(1))} minutes old` };
  if (last?.datedAt != null && date < last.datedAt - SERVERS_APART_MS)
    return { trouble: `HTTP ${status}, older than the last one` };
  const datedAt = date <= now + OUT_OF_DATE_MS ? date : null;
  if (isUnchanged) return { ...last, datedAt };
  const list = parseJson(body);
  if (!Array.isArray(list)) {
    const what = list === undefined ? 'no JSON' : 'no list';
    return { trouble: `${what}, but ${JSON.stringify(excerpt(body.slice(0, 200)))}` };
  }
  return { list, body, validators: validatorsOf(headers), sentAt: now, datedAt };
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
