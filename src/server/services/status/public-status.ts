import { HISTORY_DAYS } from '#core/periods.ts';
import { documentedIncidents } from '#core/outages/documented-incidents.ts';
import type { Incident } from '#core/outages/incident.ts';
import { PUBLIC_DAYS, dailyLevels, incidentOf, mergeIncidents } from '#core/outages/incident.ts';
import type { Outage } from '#core/outages/outage.ts';
import { outagesOf } from '#core/outages/outage.ts';
import type { SilentIncident } from '#core/smartpause/silent-incident.ts';
import { silentText } from '#core/smartpause/silent-incident.ts';
import type { Component } from '#core/smartpause/status.ts';
import { currentStatus, isStale } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';
import type { RecordedLevel } from '../../db/status/status.ts';
import {
  findRecordedLevels,
  readComponents,
  readRemembered,
  readSilentIncidents,
  readStatus,
} from '../../db/status/status.ts';
import { findLastStatusFiles } from '../../db/status/status-files.ts';
import type { Needs } from '../deps.ts';
import { findShownWarning } from './early-warnings.ts';

export type IncidentDeps = Needs<'db' | 'clock' | 'statusPage' | 'statusServices'>;

export type PublicStatus = Awaited<ReturnType<typeof readPublicStatus>>;

/** The public status of Meta's services; without personal data. */
export async function readPublicStatus(deps: IncidentDeps & Needs<'staleMs' | 'statusPollMs'>) {
  const now = deps.clock.now();
  const status = currentStatus(await readStatus(deps.db), now, deps.staleMs);
  const { incidents, recordedSince, silent } = await readIncidents(deps, now);
  const { trueLevel: level, checkedAt, since, directive } = status;
  const isOld = isStale(checkedAt, now, deps.staleMs);
  const components = await readComponents(deps.db);
  const { lowerReading } = await readRemembered(deps.db);
  return {
    /** Of the watched components, as Meta's page states it. */
    level,
    checkedAt,
    since,
    /** An admin's level, which SmartPause uses instead; null: none. */
    override: directive === null ? null : status.effective,
    components: components.map((one): Component => (isOld ? { ...one, level: null, said: [] } : one)),
    /** Meta's newest words, which are better than the level: it falls with a second reading. Null: there is no such reading. */
    falling: isOld || level === 'UNKNOWN' ? null : (lowerReading?.quote ?? null),
    /** Outages on Meta's page that no longer count, one sentence each. */
    silentIncidents: isOld ? [] : silent.map(silentText),
    days: dailyLevels(incidents, { now, count: PUBLIC_DAYS, recordedSince }),
    recordedSince,
    incidents,
    pollSeconds: deps.statusPollMs / seconds(1),
    /** SmartPause's own suspicion, before Meta's page says so; null: it suspects no outage. */
    warning: await findShownWarning(deps),
  };
}

/** All known incidents: of our own record, of Meta's lists and of publications. */
export async function readIncidents(
  { db, statusPage, statusServices }: IncidentDeps,
  now: Instant,
): Promise<{ incidents: Incident[]; recordedSince: Instant | null; silent: SilentIncident[] }> {
  const levels = await findRecordedLevels(db, now - days(HISTORY_DAYS));
  const silent = await readSilentIncidents(db);
  const published = statusPage.publishedIn(await findLastStatusFiles(db), silent);
  const isWatched = (name: string) => statusServices.some(({ service }) => service === name);
  const recorded = outagesOf(levels).map((outage) =>
    incidentOf(outage, {
      source: 'record',
      certainty: 'high',
      components: componentsOf(outage, levels),
      isWatched: true,
    }),
  );
  const all = [...recorded, ...published, ...documentedIncidents(isWatched)];
  return {
    incidents: mergeIncidents(all, now),
    recordedSince: levels[0]?.at ?? null,
    silent,
  };
}

/** The services that the status named during the outage: a message is 'Ads Delivery: High disruptions'. */
function componentsOf({ startedAt, endedAt }: Outage, levels: readonly RecordedLevel[]): string[] {
  const during = levels.filter(({ at }) => at >= startedAt && at < (endedAt ?? Infinity));
  return [...new Set(during.map(({ message }) => message.split(': ')[0] ?? message))];
}
