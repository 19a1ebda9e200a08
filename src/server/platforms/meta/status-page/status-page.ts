import { z } from 'zod';
import type { KnownLevel, Level } from '#core/smartpause/level.ts';
import { worseLevel } from '#core/smartpause/level.ts';
import type { Http } from '../../http.ts';
import { parseJson } from '../client.ts';
import { isRecovering, levelOfPhrase } from './status-text.ts';

/** One service of one product on the status page, such as Ads Delivery of ads-manager. */
export interface WatchedService {
  product: string;
  service: string;
}

/** One status observation. */
export interface Observation {
  level: Level;
  message: string;
  /** The page's text for that level, unchanged; null: the level is UNKNOWN. */
  quote: string | null;
  /** Login or the Graph API itself is disrupted: a rejected token proves nothing then. Null: unknown. */
  loginDisrupted: boolean | null;
  /** The page's text for each watched service. */
  services: ServiceSaid[];
  /** What could not be read, for operators; null: nothing. */
  trouble: string | null;
  /** The files that were read, unchanged. */
  files: StatusFile[];
}

/** A JSON file of the status page. */
export interface StatusFile {
  path: string;
  body: string;
}

export interface ServiceSaid {
  service: string;
  /** Null: not understood. */
  level: KnownLevel | null;
  said: string[];
}

export interface StatusPage {
  observe(): Promise<Observation>;
  /** Meta's list of former outages of each watched product; a file that could not be read is left out. */
  readHistory(): Promise<StatusFile[]>;
}

export const UNABLE_TO_FETCH = 'Unable to fetch status';
const LOGIN_PRODUCTS = ['facebook-login', 'graph-api'];
const TIMEOUT_MS = 8_000;
/** Maximum number of quoted phrases. */
const SAID_MOST = 6;
const EXCERPT_MOST = 80;

const product = z.object({
  id: z.string(),
  name: z.string().optional().catch(undefined),
  services: z.array(
    z.object({ id: z.union([z.number(), z.string()]), name: z.string(), status: z.string() }),
  ),
});
type Product = z.infer<typeof product>;

const outage = z.object({
  service_id: z.union([z.number(), z.string()]),
  status: z.string(),
  posts: z
    .array(z.object({ status: z.string(), time: z.union([z.string(), z.number()]).nullish() }))
    .default([]),
});

export function createStatusPage(args: {
  url: string;
  services: readonly WatchedService[];
  http: Http;
  /** For one file; a page that answers more slowly is UNKNOWN. */
  timeoutMs?: number;
}): StatusPage {
  const { http, timeoutMs = TIMEOUT_MS } = args;
  const fetchJson = conditionalFetch({ http, timeoutMs, base: args.url.replace(/\/$/, '') });
  const products = [...new Set(args.services.map((service) => service.product))];
  return {
    async observe() {
      const paths = ['/data/orgs.json', ...products.map((id) => `/data/outages/${id}.json`)];
      const fetched = await Promise.all(paths.map(fetchJson));
      const [orgs, ...outages] = fetched.map(({ json }) => json);
      const failures = fetched.flatMap(({ trouble }, index) =>
        trouble === null ? [] : [`${paths[index]}: ${trouble}`],
      );
      const found = new Map(understoodProducts(orgs).map((one) => [one.id, one]));
      const readings = args.services.map((service) =>
        readService(found.get(service.product), outages[products.indexOf(service.product)], service),
      );
      return {
        ...summarize(readings),
        loginDisrupted: isLoginDisrupted(found),
        services: readings.map(toSaid),
        trouble: failures.length === 0 ? null : failures.join('; '),
        files: filesOf(paths, fetched),
      };
    },
    async readHistory() {
      const paths = products.map((id) => `/data/outages/${id}.history.json`);
      return filesOf(paths, await Promise.all(paths.map(fetchJson)));
    },
  };
}

function filesOf(paths: readonly string[], fetched: readonly Fetched[]): StatusFile[] {
  return paths.flatMap((path, index) => {
    const body = fetched[index]?.body ?? null;
    return body === null ? [] : [{ path, body }];
  });
}

interface Reading {
  service: string;
  /** The service's own line first, then its outages. */
  parts: Part[];
  said: string[];
}

interface Part {
  /** Null: not understood. */
  level: KnownLevel | null;
  phrase: string;
}

const UNREADABLE: Part = { level: null, phrase: '' };

/** Reads a service's own line and its open outages: either can be newer, so the worse one counts. */
export function readService(org: Product | undefined, outages: unknown, watched: WatchedService): Reading {
  const service = org?.services.find(({ name }) => sameName(name, watched.service));
  if (service === undefined) return { service: watched.service, parts: [UNREADABLE], said: [] };
  const list = z.array(z.unknown()).safeParse(outages);
  const ofService = (list.data ?? []).flatMap((item) => readOutage(item, service.id) ?? []);
  const line = { level: lineLevel(service.status, ofService), phrase: service.status };
  const open = ofService.filter(({ level, phrase }) => level !== 'UP' && phrase !== '');
  const said = [service.status, ...open.map(({ phrase }) => `outage: ${phrase}`)];
  const parts = [line, ...(list.success ? ofService : [UNREADABLE])];
  return { service: service.name, parts, said: said.slice(0, SAID_MOST).map(excerpt) };
}

/** A recovering service has the level of its open outage. */
function lineLevel(phrase: string, outages: readonly Part[]): KnownLevel | null {
  const level = levelOfPhrase(phrase);
  if (level !== null || !isRecovering(phrase)) return level;
  const worst = worstOf(outages);
  return worst === 'UP' ? null : worst;
}

/** Null for another service's outage; unreadable if it cannot be parsed: it might be for this service. */
function readOutage(item: unknown, serviceId: number | string): Part | null {
  const parsed = outage.safeParse(item);
  if (!parsed.success) return UNREADABLE;
  const { service_id, status, posts } = parsed.data;
  if (String(service_id) !== String(serviceId)) return null;
  const phrases = posts.toSorted((a, b) => postTime(a.time) - postTime(b.time)).map((post) => post.status);
  const isOver = levelOfPhrase(phrases.at(-1) ?? '') === 'UP';
  return { level: isOver ? 'UP' : outageLevel(status, phrases), phrase: status };
}

/** A recovering outage keeps the level of its last post that names one; it is never over. */
function outageLevel(status: string, phrases: readonly string[]): KnownLevel | null {
  const level = levelOfPhrase(status);
  if (level !== null || !isRecovering(status)) return level;
  const isOfOutage = (phrase: string) => !isRecovering(phrase) && levelOfPhrase(phrase) !== 'UP';
  return levelOfPhrase(phrases.findLast(isOfOutage) ?? '');
}

function worstOf(parts: readonly Part[]): KnownLevel | null {
  const levels = parts.flatMap(({ level }) => level ?? []);
  return levels.length === 0 ? null : levels.reduce(worseLevel);
}

/** The worst level that was understood. */
export function toSaid({ service, parts, said }: Reading): ServiceSaid {
  const worst = worstOf(parts);
  const isComplete = parts.every(({ level }) => level !== null);
  return { service: excerpt(service), level: isComplete || worst === 'HIGH_DISRUPTION' ? worst : null, said };
}

/** Limits the length of text from the page, which is stored and shown. */
export function excerpt(text: string): string {
  const words = text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
  return words.length > EXCERPT_MOST ? `${words.slice(0, EXCERPT_MOST).toWellFormed()}…` : words;
}

/** ISO text, epoch seconds or epoch milliseconds: all three are documented somewhere. */
export function postTime(time: string | number | null | undefined): number {
  if (typeof time === 'number') return time < 1e11 ? time * 1000 : time;
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? 0 : parsed;
}

/** A missing part can only hide something worse, so only the highest level stands without it. */
function summarize(readings: readonly Reading[]): Pick<Observation, 'level' | 'message' | 'quote'> {
  const parts = readings.flatMap((one) => one.parts.map((part) => ({ ...part, service: one.service })));
  const level = worstOf(parts);
  const isComplete = parts.every((part) => part.level !== null);
  const worst = parts.find((part) => part.level === level);
  if (level === null || worst === undefined || (!isComplete && level !== 'HIGH_DISRUPTION'))
    return { level: 'UNKNOWN', message: UNABLE_TO_FETCH, quote: null };
  const quote = excerpt(worst.phrase);
  return { level, message: `${worst.service}: ${quote}`, quote };
}

function isLoginDisrupted(products: ReadonlyMap<string, Product>): boolean | null {
  const services = LOGIN_PRODUCTS.flatMap((id) => products.get(id)?.services ?? []);
  // An unknown phrase never counts as UP.
  if (services.some(({ status }) => levelOfPhrase(status) !== 'UP')) return true;
  return LOGIN_PRODUCTS.every((id) => products.has(id)) ? false : null;
}

export function understoodProducts(orgs: unknown): Product[] {
  const list = z.array(z.unknown()).safeParse(orgs).data ?? [];
  return list.flatMap((item) => product.safeParse(item).data ?? []);
}

export function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

interface Fetched {
  /** Undefined when there is none. */
  json: unknown;
  /** The text of the JSON. */
  body: string | null;
  /** Why there is no JSON. */
  trouble: string | null;
}

function unread(trouble: string): Fetched {
  return { json: undefined, body: null, trouble };
}

/** The page answers unknown paths with 200 and its HTML shell. */
function conditionalFetch({
  http,
  timeoutMs,
  base,
}: {
  http: Http;
  timeoutMs: number;
  base: string;
}): (path: string) => Promise<Fetched> {
  const kept = new Map<string, { validators: Record<string, string>; json: unknown; body: string }>();
  return async (path) => {
    const known = kept.get(path);
    const headers = { accept: 'application/json', 'user-agent': 'SmartPause', ...known?.validators };
    const answer = await http.send({ method: 'GET', url: new URL(base + path), headers, timeoutMs });
    if (!answer.ok) return unread(`no answer, ${excerpt(answer.message)}`);
    if (answer.status === 304 && known !== undefined)
      return { json: known.json, body: known.body, trouble: null };
    if (answer.status !== 200) return unread(`HTTP ${answer.status}`);
    const json = parseJson(answer.body);
    const { etag, 'last-modified': lastModified } = answer.headers;
    const validators = {
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    };
    if (json === undefined) {
      kept.delete(path);
      return unread(`no JSON, but ${JSON.stringify(excerpt(answer.body.slice(0, 2 * EXCERPT_MOST)))}`);
    }
    kept.set(path, { validators, json, body: answer.body });
    return { json, body: answer.body, trouble: null };
  };
}
