import { z } from 'zod';
import type { Incident } from '#core/smartpause/incident.ts';
import { incidentOf } from '#core/smartpause/incident.ts';
import type { KnownLevel, Level } from '#core/smartpause/level.ts';
import { outagesOf } from '#core/smartpause/outage.ts';
import type { Instant } from '#core/time.ts';
import { parseJson } from '../client.ts';
import type { StatusFile } from './status-file.ts';
import type { WatchedService } from './status-page.ts';
import { postTime, readService, sameName, toSaid, understoodProducts } from './status-page.ts';
import { excerpt, isRecovering, levelOfPhrase } from './status-text.ts';

/** Products that matter to advertisers who use the API; the watched ones are added. */
const SHOWN_PRODUCTS = ['ads-manager', 'marketing-api', 'graph-api', 'facebook-login'];

export interface Component {
  product: string;
  name: string;
  level: Level;
  /** The page's text, unchanged; null: none. */
  words: string | null;
  isWatched: boolean;
}

const time = z.union([z.string(), z.number()]).nullish();
const published = z.object({
  id: z.union([z.string(), z.number()]),
  service_id: z.union([z.string(), z.number()]),
  status: z.string(),
  time,
  posts: z.array(z.object({ status: z.string(), time })).default([]),
});
type Published = z.infer<typeof published>;

/**
 * The services in the stored files of the page, with their levels, and their former and open outages.
 * @param freshSince files that were last read before say nothing about the current level
 */
export function readPublished(
  files: readonly (StatusFile & { firstAt: Instant; lastAt: Instant })[],
  { services, freshSince }: { services: readonly WatchedService[]; freshSince: Instant },
): { components: Component[]; incidents: Incident[] } {
  const listOf = (path: string): unknown[] =>
    z.array(z.unknown()).safeParse(parseJson(files.find((file) => file.path === path)?.body ?? '')).data ??
    [];
  const paths = ['/data/orgs.json', ...services.map(({ product }) => `/data/outages/${product}.json`)];
  const current = files.filter(({ path }) => paths.includes(path));
  const readAt = Math.min(...current.map(({ lastAt }) => lastAt));
  const isFresh = paths.every((path) => current.some((file) => file.path === path)) && readAt >= freshSince;
  // Else a line may be clean while its outages are not read.
  const isOfOneReading = current.every(({ firstAt }) => firstAt <= readAt);
  const shown = new Set([...services.map(({ product }) => product), ...SHOWN_PRODUCTS]);
  const products = understoodProducts(listOf('/data/orgs.json')).filter(({ id }) => shown.has(id));
  const components: Component[] = [];
  const incidents: Incident[] = [];
  for (const product of products) {
    const open = listOf(`/data/outages/${product.id}.json`);
    const outages = distinct([...open, ...listOf(`/data/outages/${product.id}.history.json`)]);
    for (const service of product.services) {
      const isWatched = services.some(
        (one) => one.product === product.id && sameName(service.name, one.service),
      );
      const watched = { product: product.id, service: service.name };
      const said = toSaid(readService(product, watched, { isLineRead: true, outages: open }));
      const isKnown = isFresh && (isOfOneReading || said.level === 'HIGH_DISRUPTION');
      components.push({
        product: excerpt(product.name ?? product.id),
        name: said.service,
        level: isKnown ? (said.level ?? 'UNKNOWN') : 'UNKNOWN',
        words: isKnown ? (said.said[0] ?? null) : null,
        isWatched,
      });
      const ofService = outages.filter(({ service_id }) => String(service_id) === String(service.id));
      incidents.push(
        ...ofService.flatMap((one) => incidentsOf(one, { components: [said.service], isWatched })),
      );
    }
  }
  return { components, incidents };
}

/** An outage in both lists is the same; the list of open ones is newer. */
function distinct(items: readonly unknown[]): Published[] {
  const found = new Map<string, Published>();
  for (const item of items) {
    const parsed = published.safeParse(item);
    if (parsed.success && !found.has(String(parsed.data.id))) found.set(String(parsed.data.id), parsed.data);
  }
  return [...found.values()];
}

/** Posts without a known time or phrase are left out. */
function incidentsOf(
  { status, time: startedAt, posts }: Published,
  of: Pick<Incident, 'components' | 'isWatched'>,
): Incident[] {
  const known = posts
    .map((post) => ({ phrase: post.status, at: postTime(post.time) }))
    .filter(({ at }) => at > 0)
    .toSorted((a, b) => a.at - b.at);
  const all = known.length > 0 ? known : [{ phrase: status, at: postTime(startedAt) }];
  const history: { level: KnownLevel; at: Instant }[] = all.flatMap(({ phrase, at }) => {
    const level = isRecovering(phrase) ? null : levelOfPhrase(phrase);
    return level === null || at <= 0 ? [] : [{ level, at }];
  });
  return outagesOf(history).map((outage) => incidentOf(outage, { source: 'meta', certainty: 'high', ...of }));
}
