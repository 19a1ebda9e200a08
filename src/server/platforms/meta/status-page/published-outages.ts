import { z } from 'zod';
import type { Incident } from '#core/outages/incident.ts';
import { incidentOf } from '#core/outages/incident.ts';
import { outagesOf } from '#core/outages/outage.ts';
import type { SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { StatusFile, WatchedService } from '../../platform.ts';
import { parseJson } from '../client.ts';
import { outage, sameName, understoodProducts } from './status-lists.ts';
import { isRecovering, levelOfPhrase } from './status-text.ts';

/**
 * The former and open outages in the stored files of the page, of all services of the watched products.
 * @param silent the end of these is unknown
 */
export function readPublished(
  files: readonly StatusFile[],
  watched: readonly WatchedService[],
  silent: readonly SilentIncident[],
): Incident[] {
  const listOf = (path: string): unknown[] =>
    z.array(z.unknown()).safeParse(parseJson(files.find((file) => file.path === path)?.body ?? '')).data ??
    [];
  const products = understoodProducts(listOf('/data/orgs.json'));
  return products
    .filter(({ id }) => watched.some(({ product }) => product === id))
    .flatMap(({ id, services }) => {
      const outages = distinct(['', '.history'].flatMap((kind) => listOf(`/data/outages/${id}${kind}.json`)));
      return services.flatMap(({ id: serviceId, name }) => {
        const isWatched = watched.some((one) => one.product === id && sameName(name, one.service));
        const of = { source: 'meta', certainty: 'high', components: [name], isWatched } as const;
        return outages
          .filter(({ service_id }) => service_id === serviceId)
          .flatMap((one) => {
            const isSilent = silent.some(({ id: own }) => own === one.id);
            return outagesOf(historyOf(one))
              .map((known) => incidentOf(known, of))
              .map((incident) => (isSilent ? { ...incident, isOpen: false } : incident));
          });
      });
    });
}

type Published = z.infer<typeof outage>;

/** An outage in both lists is the same; the list of open ones comes first and is newer. */
function distinct(items: readonly unknown[]): Published[] {
  const found = new Map<string, Published>();
  for (const item of items) {
    const { data } = outage.safeParse(item);
    if (data?.id !== undefined && !found.has(data.id)) found.set(data.id, data);
  }
  return [...found.values()];
}

/** Its levels over time. Posts without a known time or phrase are left out. */
function historyOf({ status, time, posts }: Published): Parameters<typeof outagesOf>[0] {
  const known = posts.filter((post) => post.time > 0);
  return (known.length > 0 ? known : [{ status, time }]).flatMap((post) => {
    const level = isRecovering(post.status) ? null : levelOfPhrase(post.status);
    return level === null || post.time <= 0 ? [] : [{ level, at: post.time }];
  });
}
