import type { KnownLevel } from '#core/smartpause/level.ts';
import { worseLevel } from '#core/smartpause/level.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import { isSilent, nextCleanSince } from '#core/smartpause/silent-incident.ts';
import type { Component } from '#core/smartpause/status.ts';
import { UNABLE_TO_FETCH } from '#core/smartpause/status.ts';
import type { FileDates, StatusReading } from '#core/smartpause/status-reading.ts';
import type { Instant } from '#core/time.ts';
import type { Http } from '../../http.ts';
import type { Remembered, StatusFile, StatusPage, WatchedService } from '../../platform.ts';
import { readPublished } from './published-outages.ts';
import type { FileRead } from './status-file.ts';
import { createFileReader } from './status-file.ts';
import type { Product } from './status-lists.ts';
import { outage, sameName, understoodProducts } from './status-lists.ts';
import { excerpt, isRecovering, levelOfPhrase } from './status-text.ts';

const UNKNOWN = { level: 'UNKNOWN', message: UNABLE_TO_FETCH, quote: null } as const;
const LOGIN_PRODUCTS = ['facebook-login', 'graph-api'];
/** Products that matter to advertisers who use the API; the watched ones are added. */
const SHOWN_PRODUCTS = ['ads-manager', 'marketing-api', ...LOGIN_PRODUCTS];
/** Maximum number of quoted phrases. */
const SAID_MOST = 6;

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
    async observe({ fileDates, cleanSince, now: at }) {
      const read = (path: string) => readFile(path, fileDates[path]);
      const [orgs, ...outages] = await Promise.all([
        read('/data/orgs.json'),
        ...watchedProducts.map((name) => read(`/data/outages/${name}.json`)),
      ]);
      if (orgs.list !== null) products = understoodProducts(orgs.list);
      const readings = placesOf(products, services).map((place) => {
        const file = outages[watchedProducts.indexOf(place.product)];
        const lists = { isLineRead: orgs.list !== null, outages: file === undefined ? [] : file.list };
        return readService(place, lists, { cleanSince, now: at });
      });
      const watched = readings.filter(({ component }) => component.isWatched);
      return {
        ...summarize(watched),
        dates: datesOf([orgs, ...outages]),
        loginDisrupted: orgs.list === null ? null : isLoginDisrupted(products),
        components: readings.map(({ component }) => component),
        trouble: troubleOf([orgs, ...outages]),
        cleanSince: Object.assign({}, cleanSince, ...watched.map((one) => one.cleanSince)) as CleanSince,
        silentIncidents: watched.flatMap(({ silent }) => silent),
        files: filesOf([orgs, ...outages]),
      };
    },
    async readHistory() {
      const paths = watchedProducts.map((name) => `/data/outages/${name}.history.json`);
      return filesOf(await Promise.all(paths.map((path) => readFile(path))));
    },
    publishedIn: (files, silent) => readPublished(files, services, silent),
  };
}

function filesOf(reads: readonly FileRead[]): StatusFile[] {
  return reads.flatMap((read) => (read.list === null ? [] : { path: read.path, body: read.body }));
}

function datesOf(reads: readonly FileRead[]): FileDates {
  return Object.fromEntries(reads.flatMap((read) => (read.list === null ? [] : [[read.path, read.date]])));
}

function troubleOf(reads: readonly FileRead[]): string | null {
  const failures = reads.flatMap(({ path, trouble }) => (trouble === null ? [] : `${path}: ${trouble}`));
  return failures.length === 0 ? null : failures.join('; ');
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

interface Reading {
  component: Component;
  /** The service's own line first, then its outages, without the silent ones. */
  parts: Part[];
  silent: SilentIncident[];
  /** Of this service alone; empty if its line was not read, was not understood, or does not count. */
  cleanSince: CleanSince;
}

interface Part {
  /** Null: not understood. */
  level: KnownLevel | null;
  phrase: string;
}

interface OutagePart extends Part {
  id: string | null;
  since: Instant;
  /** 0: unknown. */
  lastPostAt: Instant;
}

/** The file of this part could not be read. */
const UNREAD: OutagePart = { level: null, phrase: '', id: null, since: 0, lastPostAt: 0 };
/** The file has no such service, or it is not understood. */
const NOT_UNDERSTOOD: OutagePart = { ...UNREAD };

/** Reads a service's own line and its open outages: either can be newer, so the worse one counts. */
function readService(
  place: Place,
  /** Outages of its product; null: not read. */
  { isLineRead, outages }: { isLineRead: boolean; outages: readonly unknown[] | null },
  { cleanSince: before, now }: Pick<Remembered, 'cleanSince' | 'now'>,
): Reading {
  const { service, isWatched } = place;
  const key = `${place.product}/${place.name.trim().toLowerCase()}`;
  const isClean = isLineRead && isWatched && service !== undefined ? isCleanLine(service.status) : null;
  const cleanSince: CleanSince = isClean === null ? {} : { [key]: nextCleanSince(before[key], isClean, now) };
  const all =
    service === undefined ? [] : (outages?.flatMap((item) => readOutage(item, service.id) ?? []) ?? [UNREAD]);
  const open = all.filter(({ level, phrase }) => level !== 'UP' && phrase !== '');
  const since = isWatched ? { ...before, ...cleanSince }[key] : null;
  const silent = open.filter(({ lastPostAt }) => isSilent(lastPostAt, since, now));
  const counted = all.filter((one) => !silent.includes(one));
  const line = lineOf(service, isLineRead, counted);
  const said = [...(isLineRead && service ? [service.status] : []), ...open.map(sayOutage)];
  const parts = [line, ...counted];
  const name = excerpt(place.name);
  return {
    component: {
      ...{ product: excerpt(place.productName), name, isWatched },
      level: isCertain(parts) ? worstOf(parts) : null,
      said: said.slice(0, SAID_MOST).map(excerpt),
    },
    parts,
    silent: silent.map((one) => ({
      id: one.id,
      service: name,
      phrase: excerpt(one.phrase),
      since: one.since,
    })),
    cleanSince,
  };
}

function sayOutage({ phrase }: Part): string {
  return `outage: ${phrase}`;
}

function lineOf(service: Place['service'], isLineRead: boolean, outages: readonly Part[]): Part {
  if (!isLineRead) return UNREAD;
  return service === undefined ? NOT_UNDERSTOOD : readLine(service.status, outages);
}

/** Null: not understood. That it is disrupted is not known then, so it revives no silent incident. */
function isCleanLine(phrase: string): boolean | null {
  const level = levelOfPhrase(phrase);
  return level === null && !isRecovering(phrase) ? null : level === 'UP';
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
function readOutage(item: unknown, serviceId: string): OutagePart | null {
  const whose = outage.pick({ service_id: true }).safeParse(item);
  if (whose.success && whose.data.service_id !== serviceId) return null;
  const parsed = outage.safeParse(item);
  if (!parsed.success) return NOT_UNDERSTOOD;
  const { id: own = null, status, time: at, posts } = parsed.data;
  const phrases = posts.map((post) => post.status);
  const isOver = levelOfPhrase(phrases.at(-1) ?? '') === 'UP';
  const level = isOver ? 'UP' : outageLevel(status, phrases);
  const times = posts.length === 0 ? [at] : posts.map((post) => post.time);
  const lastPostAt = Math.min(...times) > 0 ? Math.max(...times) : 0;
  return { level, phrase: status, id: own, since: at > 0 ? at : (times[0] ?? 0), lastPostAt };
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

function summarize(readings: readonly Reading[]): Omit<StatusReading, 'dates'> {
  const parts = readings.flatMap((one) => one.parts);
  const level = worstOf(parts);
  const worst = readings.find((one) => one.parts.some((part) => part.level === level))?.component;
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
