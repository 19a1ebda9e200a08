import { z } from 'zod';
import type { KnownLevel } from '#core/smartpause/level.ts';
import { worseLevel } from '#core/smartpause/level.ts';
import type { StatusReading } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { Http } from '../../http.ts';
import type { FileRead, StatusFile } from './status-file.ts';
import { createFileReader } from './status-file.ts';
import { excerpt, isRecovering, levelOfPhrase } from './status-text.ts';

/** One service of one product on the status page, such as Ads Delivery of ads-manager. */
export interface WatchedService {
  product: string;
  service: string;
}

/** One status observation. */
export interface Observation extends StatusReading {
  /** Login or the Graph API itself is disrupted: a rejected token proves nothing then. Null: unknown. */
  loginDisrupted: boolean | null;
  /** The page's text for each watched service. */
  services: ServiceSaid[];
  /** What could not be read, for operators; null: nothing. */
  trouble: string | null;
  /** The files that were read, unchanged. */
  files: StatusFile[];
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
export const UNKNOWN = { level: 'UNKNOWN', message: UNABLE_TO_FETCH, quote: null } as const;
const LOGIN_PRODUCTS = ['facebook-login', 'graph-api'];
/** Maximum number of quoted phrases. */
const SAID_MOST = 6;

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

export function createStatusPage({
  url,
  services,
  http,
  now = () => Date.now(),
}: {
  url: string;
  services: readonly WatchedService[];
  http: Http;
  /** The clock that the servers date by. */
  now?: () => Instant;
}): StatusPage {
  const readFile = createFileReader({ http, base: url.replace(/\/$/, ''), now });
  const products = [...new Set(services.map((service) => service.product))];
  // Of the last list that was read: outages name their service only by its id.
  let found: ReadonlyMap<string, Product> = new Map();
  return {
    async observe() {
      const [orgs, ...outages] = await Promise.all([
        readFile('/data/orgs.json'),
        ...products.map((id) => readFile(`/data/outages/${id}.json`)),
      ]);
      if (orgs.list !== null) found = new Map(understoodProducts(orgs.list).map((one) => [one.id, one]));
      const readings = services.map((watched) =>
        readService(found.get(watched.product), watched, {
          isLineRead: orgs.list !== null,
          outages: outages[products.indexOf(watched.product)]?.list ?? null,
        }),
      );
      const failures = [orgs, ...outages].flatMap(({ path, trouble }) =>
        trouble === null ? [] : `${path}: ${trouble}`,
      );
      return {
        ...summarize(readings),
        loginDisrupted: orgs.list === null ? null : isLoginDisrupted(found),
        services: readings.map(toSaid),
        trouble: failures.length === 0 ? null : failures.join('; '),
        files: filesOf([orgs, ...outages]),
      };
    },
    async readHistory() {
      return filesOf(await Promise.all(products.map((id) => readFile(`/data/outages/${id}.history.json`))));
    },
  };
}

function filesOf(reads: readonly FileRead[]): StatusFile[] {
  return reads.flatMap((read) => (read.list === null ? [] : { path: read.path, body: read.body }));
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

/** The file of this part could not be read. */
const UNREAD: Part = { level: null, phrase: '' };
/** The file has no such service, or it is not understood. */
const NOT_UNDERSTOOD: Part = { level: null, phrase: '' };

/** Reads a service's own line and its open outages: either can be newer, so the worse one counts. */
export function readService(
  org: Product | undefined,
  watched: WatchedService,
  { isLineRead, outages }: { isLineRead: boolean; outages: readonly unknown[] | null },
): Reading {
  const service = org?.services.find(({ name }) => sameName(name, watched.service));
  if (service === undefined)
    return { service: excerpt(watched.service), parts: [isLineRead ? NOT_UNDERSTOOD : UNREAD], said: [] };
  const ofService = outages?.flatMap((item) => readOutage(item, service.id) ?? []) ?? [UNREAD];
  const line = isLineRead ? readLine(service.status, ofService) : UNREAD;
  const open = ofService.filter(({ level, phrase }) => level !== 'UP' && phrase !== '');
  const said = [...(isLineRead ? [service.status] : []), ...open.map(({ phrase }) => `outage: ${phrase}`)];
  return {
    service: excerpt(service.name),
    parts: [line, ...ofService],
    said: said.slice(0, SAID_MOST).map(excerpt),
  };
}

/** A recovering service has the level of its open outage. */
function readLine(phrase: string, outages: readonly Part[]): Part {
  const level = levelOfPhrase(phrase);
  if (level !== null || !isRecovering(phrase)) return { level, phrase };
  if (outages.includes(UNREAD)) return UNREAD;
  const worst = worstOf(outages);
  return { level: worst === 'UP' ? null : worst, phrase };
}

/** Null for another service's outage; unreadable if it cannot be parsed: it might be for this service. */
function readOutage(item: unknown, serviceId: number | string): Part | null {
  const parsed = outage.safeParse(item);
  if (!parsed.success) return NOT_UNDERSTOOD;
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

/** A missing part can only hide something worse, so only the highest level stands without it. */
function isCertain(parts: readonly Part[]): boolean {
  return worstOf(parts) === 'HIGH_DISRUPTION' || parts.every(({ level }) => level !== null);
}

export function toSaid({ service, parts, said }: Reading): ServiceSaid {
  return { service, level: isCertain(parts) ? worstOf(parts) : null, said };
}

/** ISO text, epoch seconds or epoch milliseconds: all three are documented somewhere. */
export function postTime(time: string | number | null | undefined): number {
  if (typeof time === 'number') return time < 1e11 ? time * 1000 : time;
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? 0 : parsed;
}

function summarize(readings: readonly Reading[]): StatusReading {
  const parts = readings.flatMap((one) => one.parts);
  const level = worstOf(parts);
  const worst = readings.find((one) => one.parts.some((part) => part.level === level));
  const quote = excerpt(parts.find((part) => part.level === level)?.phrase ?? '');
  const stated =
    level === null || worst === undefined ? null : { level, message: `${worst.service}: ${quote}`, quote };
  if (stated !== null && isCertain(parts)) return { ...stated, isIncomplete: false, atLeast: null };
  const isIncomplete = parts.every((part) => part.level !== null || part === UNREAD);
  return { ...UNKNOWN, isIncomplete, atLeast: isIncomplete ? stated : null };
}

function isLoginDisrupted(products: ReadonlyMap<string, Product>): boolean | null {
  const services = LOGIN_PRODUCTS.flatMap((id) => products.get(id)?.services ?? []);
  // An unknown phrase never counts as UP.
  if (services.some(({ status }) => levelOfPhrase(status) !== 'UP')) return true;
  return LOGIN_PRODUCTS.every((id) => products.has(id)) ? false : null;
}

export function understoodProducts(orgs: readonly unknown[]): Product[] {
  return orgs.flatMap((item) => product.safeParse(item).data ?? []);
}

export function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
