import { nextOneMinutePastMidnight } from '../new-york.ts';
import type { Instant } from '../time.ts';
import { days, hours, minutes } from '../time.ts';
import type { KnownLevel, Level } from '../smartpause/level.ts';
import { worseLevel } from '../smartpause/level.ts';
import type { Outage } from './outage.ts';

export type Certainty = 'high' | 'medium' | 'low';

/** A disruption of Meta's services, from one source. */
export interface Incident {
  /** SmartPause's own readings, Meta's list of outages, or publications; the earlier one counts. */
  source: 'record' | 'meta' | 'documented';
  /** The publications. */
  publishedBy?: string;
  certainty: Certainty;
  components: readonly string[];
  /** Whether SmartPause pauses for these components. */
  isWatched: boolean;
  peak: KnownLevel;
  /** When advertisers noticed it. */
  feltAt: Instant | null;
  /** On Meta's status page. */
  startedAt: Instant | null;
  /** Null: it is still open, or the end is unknown. */
  endedAt: Instant | null;
  isOpen: boolean;
  levels: Outage['levels'];
  /** A time on its first day, for an incident without a known start. */
  dayOf: Instant;
}

/** An incident whose times on the status page are those of an outage. */
export function incidentOf(
  outage: Outage,
  rest: Pick<Incident, 'source' | 'certainty' | 'components' | 'isWatched'>,
): Incident {
  const { startedAt, endedAt, peak, levels } = outage;
  return {
    ...rest,
    ...{ peak, startedAt, endedAt, levels },
    feltAt: null,
    isOpen: endedAt === null,
    dayOf: startedAt,
  };
}

/** One incident from several sources is listed once. Newest first. */
export function mergeIncidents(all: readonly Incident[], now: Instant): Incident[] {
  const kept: Incident[] = [];
  for (const source of ['record', 'meta', 'documented'] as const) {
    const known = [...kept];
    const more = all.filter((one) => one.source === source);
    kept.push(...more.filter((one) => !known.some((other) => isSame(one, other, now))));
  }
  return kept.toSorted((a, b) => beginOf(b) - beginOf(a));
}

function isSame(one: Incident, other: Incident, now: Instant): boolean {
  if (overlapOf(one, { from: beginOf(other), to: endOf(other, now) }, now) <= 0) return false;
  return one.source === 'documented' || one.components.some((name) => other.components.includes(name));
}

export function beginOf({ startedAt, feltAt, dayOf }: Incident): Instant {
  return startedAt ?? feltAt ?? dayOf;
}

export function isEndUnknown({ endedAt, isOpen }: Incident): boolean {
  return endedAt === null && !isOpen;
}

/** An unknown end counts as a moment after the start. */
function endOf(incident: Incident, now: Instant): Instant {
  return incident.endedAt ?? (incident.isOpen ? now : beginOf(incident) + minutes(1));
}

function overlapOf(incident: Incident, span: { from: Instant; to: Instant }, now: Instant): number {
  return Math.min(span.to, endOf(incident, now)) - Math.max(span.from, beginOf(incident));
}

export interface Day {
  /** Midnight in New York. */
  from: Instant;
  to: Instant;
  /** The worst level; UNKNOWN: there is no record of this day. */
  level: Level;
  /** Without incidents whose end is unknown. */
  disruptedMs: number;
  /** It has an incident whose end is unknown. */
  isEndUnknown: boolean;
}

/** The last days in New York, oldest first, with the worst level of the watched components. */
export function dailyLevels(
  incidents: readonly Incident[],
  given: { now: Instant; count: number; recordedSince: Instant | null },
): Day[] {
  const { now, count, recordedSince } = given;
  const watched = incidents.filter(({ isWatched }) => isWatched);
  const result: Day[] = [];
  let to = midnightAfter(now);
  for (let index = 0; index < count; index += 1) {
    // A day has 23 to 25 hours.
    const from = midnightAfter(to - hours(26));
    const met = watched.filter((one) => overlapOf(one, { from, to }, now) > 0);
    const isRecorded = recordedSince !== null && recordedSince < to;
    const level = met.map(({ peak }) => peak).reduce(worseLevel, 'UP');
    result.unshift({
      ...{ from, to },
      level: met.length === 0 && !isRecorded ? 'UNKNOWN' : level,
      disruptedMs: met
        .filter((one) => !isEndUnknown(one))
        .reduce((sum, one) => sum + overlapOf(one, { from, to }, now), 0),
      isEndUnknown: met.some(isEndUnknown),
    });
    to = from;
  }
  return result;
}

function midnightAfter(at: Instant): Instant {
  return nextOneMinutePastMidnight(at + minutes(1) - 1) - minutes(1);
}

/** Incidents of the watched components whose start and end are known, as outages. Oldest first. */
export function outagesOfIncidents(incidents: readonly Incident[]): (Outage & Pick<Incident, 'source'>)[] {
  return incidents
    .flatMap(({ isWatched, startedAt, endedAt, isOpen, peak, levels, source }) =>
      isWatched && startedAt !== null && (endedAt !== null || isOpen)
        ? [{ startedAt, endedAt, peak, levels, source }]
        : [],
    )
    .toReversed();
}

/** How long the history on the public page goes back. */
export const PUBLIC_DAYS = 90;
export const YEAR_MS = days(365);
