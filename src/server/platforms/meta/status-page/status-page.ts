import { z } from 'zod';
import type { KnownLevel } from '#core/smartpause/level.ts';
import { worseLevel } from '#core/smartpause/level.ts';
import type { Component, StatusReading } from '#core/smartpause/status.ts';
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
  /** The watched services, then the others that matter to advertisers. */
  components: Component[];
  /** What could not be read, for operators; null: nothing. */
  trouble: string | null;
  /** The files that were read, unchanged. */
  files: StatusFile[];
}

export interface StatusPage {
  observe(): Promise<Observation>;
  /** Meta's list of former outages of each watched product; a file that could not be read is left out. */
  readHistory(): Promise<StatusFile[]>;
}

export const UNABLE_TO_FETCH = 'Unable to fetch status';
const UNKNOWN = { level: 'UNKNOWN', message: UNABLE_TO_FETCH, quote: null } as const;
const LOGIN_PRODUCTS = ['facebook-login', 'graph-api'];
/** Products that matter to advertisers who use the API; the watched ones are added. */
const SHOWN_PRODUCTS = ['ads-manager', 'marketing-api', ...LOGIN_PRODUCTS];
/** Maximum number of quoted phrases. */
const SAID_MOST = 6;

const id = z.union([z.number(), z.string()]).transform(String);
const service = z.object({ id, name: z.string(), status: z.string() });
const product = z.object({
  id: z.string(),
  name: z.string().optional().catch(undefined),
  /** One that is not understood hides no other one. */
  services: z.array(z.unknown()).transform((all) => all.flatMap((one) => service.safeParse(one).data ?? [])),
});
type Product = z.infer<typeof product>;

/** ISO text, epoch seconds or epoch milliseconds: all three are documented somewhere. 0: unknown. */
const time = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((given) => {
    if (typeof given === 'number') return given < 1e11 ? given * 1000 : given;
    const parsed = Date.parse(given ?? '');
    return Number.isNaN(parsed) ? 0 : parsed;
  });
/** An outage of one service; its posts are in the order of their times. */
export const outage = z.object({
  id: id.optional().catch(undefined),
  service_id: id,
  status: z.string(),
  time,
  posts: z
    .array(z.object({ status: z.string(), time }))
    .default([])
    .transform((posts) => posts.toSorted((a, b) => a.time - b.time)),
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
  const watchedProducts = [...new Set(services.map((service) => service.product))];
  // Of the last list that was read: outages name their service only by its id.
  let products: Product[] = [];
  return {
    async observe() {
      const [orgs, ...outages] = await Promise.all([
        readFile('/data/orgs.json'),
        ...watchedProducts.map((name) => readFile(`/data/outages/${name}.json`)),
      ]);
      if (orgs.list !== null) products = understoodProducts(orgs.list);
      const readings = placesOf(products, services).map((place) => {
        const file = outages[watchedProducts.indexOf(place.product)];
        return readService(place, orgs.list !== null, file === undefined ? [] : file.list);
      });
      const failures = [orgs, ...outages].flatMap(({ path, trouble }) =>
        trouble === null ? [] : `${path}: ${trouble}`,
      );
      return {
        ...summarize(readings.filter(({ isWatched }) => isWatched)),
        loginDisrupted: orgs.list === null ? null : isLoginDisrupted(products),
        components: readings.map(({ parts, ...component }) => ({
          ...component,
          level: isCertain(parts) ? worstOf(parts) : null,
        })),
        trouble: failures.length === 0 ? null : failures.join('; '),
        files: filesOf([orgs, ...outages]),
      };
    },
    async readHistory() {
      const paths = watchedProducts.map((name) => `/data/outages/${name}.history.json`);
      return filesOf(await Promise.all(paths.map(readFile)));
    },
  };
}

function filesOf(reads: readonly FileRead[]): StatusFile[] {
  return reads.flatMap((read) => (read.list === null ? [] : { path: read.path, body: read.body }));
}

/** A service and its place on the page. */
interface Place {
  product: string;
  productName: string;
  name: string;
  /** Undefined: the page has no such service. */
  service?: Product['services'][number];
  isWatched: boolean;
}

/** The watched services, then the others that matter to advertisers. */
function placesOf(products: readonly Product[], watched: readonly WatchedService[]): Place[] {
  const listed = products.flatMap(({ id: own, name: productName = own, services }) =>
    services.map((service) => ({ product: own, productName, name: service.name, service, isWatched: false })),
  );
  const found = watched.map(({ product: own, service: name }): Place => {
    const place = listed.find((one) => one.product === own && sameName(one.name, name));
    const productName = products.find(({ id: one }) => one === own)?.name ?? own;
    if (place === undefined) return { product: own, productName, name, isWatched: true };
    place.isWatched = true;
    return place;
  });
  const shown = [...SHOWN_PRODUCTS, ...watched.map((one) => one.product)];
  return [...found, ...listed.filter((one) => !one.isWatched && shown.includes(one.product))];
}

interface Reading extends Omit<Component, 'level'> {
  /** The service's own line first, then its outages. */
  parts: Part[];
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

/**
 * Reads a service's own line and its open outages: either can be newer, so the worse one counts.
 * @param outages of its product; null: not read
 */
function readService(
  { productName, name, service, isWatched }: Place,
  isLineRead: boolean,
  outages: readonly unknown[] | null,
): Reading {
  const about = { product: excerpt(productName), name: excerpt(name), isWatched };
  if (service === undefined) return { ...about, parts: [isLineRead ? NOT_UNDERSTOOD : UNREAD], said: [] };
  const ofService = outages?.flatMap((item) => readOutage(item, service.id) ?? []) ?? [UNREAD];
  const line = isLineRead ? readLine(service.status, ofService) : UNREAD;
  const open = ofService.filter(({ level, phrase }) => level !== 'UP' && phrase !== '');
  const said = [...(isLineRead ? [service.status] : []), ...open.map(({ phrase }) => `outage: ${phrase}`)];
  return { ...about, parts: [line, ...ofService], said: said.slice(0, SAID_MOST).map(excerpt) };
}

/** A recovering service has the level of its open outage. */
function readLine(phrase: string, outages: readonly Part[]): Part {
  const level = levelOfPhrase(phrase);
  if (level !== null || !isRecovering(phrase)) return { level, phrase };
  if (outages.includes(UNREAD)) return UNREAD;
  const worst = worstOf(outages);
  return { level: worst === 'UP' ? null : worst, phrase };
}

/** Null for another service's outage; not understood if it might be for this service. */
function readOutage(item: unknown, serviceId: string): Part | null {
  const whose = outage.pick({ service_id: true }).safeParse(item);
  if (whose.success && whose.data.service_id !== serviceId) return null;
  const parsed = outage.safeParse(item);
  if (!parsed.success) return NOT_UNDERSTOOD;
  const { status, posts } = parsed.data;
  const phrases = posts.map((post) => post.status);
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

function summarize(readings: readonly Reading[]): StatusReading {
  const parts = readings.flatMap((one) => one.parts);
  const level = worstOf(parts);
  const worst = readings.find((one) => one.parts.some((part) => part.level === level));
  const quote = excerpt(parts.find((part) => part.level === level)?.phrase ?? '');
  const stated =
    level === null || worst === undefined ? null : { level, message: `${worst.name}: ${quote}`, quote };
  if (stated !== null && isCertain(parts)) return { ...stated, isIncomplete: false, atLeast: null };
  const isIncomplete = parts.every((part) => part.level !== null || part === UNREAD);
  return { ...UNKNOWN, isIncomplete, atLeast: isIncomplete ? stated : null };
}

function isLoginDisrupted(products: readonly Product[]): boolean | null {
  const found = products.filter((one) => LOGIN_PRODUCTS.includes(one.id));
  // An unknown phrase never counts as UP.
  if (found.some(({ services }) => services.some(({ status }) => levelOfPhrase(status) !== 'UP')))
    return true;
  const isKnown = (name: string) => found.some((one) => one.id === name && one.services.length > 0);
  return LOGIN_PRODUCTS.every(isKnown) ? false : null;
}

export function understoodProducts(orgs: readonly unknown[]): Product[] {
  return orgs.flatMap((item) => product.safeParse(item).data ?? []);
}

export function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
