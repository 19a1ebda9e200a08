import type { StatusPage } from '../../simulators/meta-status/server.ts';
import { type StatusState, isOver } from '../../simulators/meta-status/state.ts';
import { type Snapshot, type StatusRow, type UserRow, meets, worst } from './snapshot.ts';

/** Longer than any status observation takes, retries and timeouts included. */
const READING_MS = 30_000;
const HIGHEST = 'HIGH_DISRUPTION';
type Threshold = UserRow['threshold'];
const THRESHOLDS = ['LOW', 'MEDIUM', 'HIGH'] as const;

/** One file has the service's status, the other its open outage. */
type File = 'orgs' | 'outages';

/** What the status page returned at each request: the levels that the product may have read. */
export class StatusObservations {
  readonly #page: StatusPage;
  readonly #staleMs: number;
  readonly #reads: { at: number; file: File; level: string }[] = [];
  #brokenAt = -Infinity;
  #hits = 0;

  /** @param staleMs the age at which a status observation no longer counts */
  constructor(page: StatusPage, staleMs: number) {
    this.#page = page;
    this.#staleMs = staleMs;
  }

  onServed(path: string): void {
    const { faults, state } = this.#page;
    const file: File = path.includes('outages') ? 'outages' : 'orgs';
    if (faults.hits > this.#hits) this.onBroken();
    else this.#reads.push({ at: Date.now(), file, level: levelIn(file, state) });
    this.#hits = faults.hits;
  }

  /** A response is broken, outdated or missing, or the machine slept during the request. */
  onBroken(): void {
    this.#brokenAt = Date.now();
  }

  check(before: StatusRow, { true_level: level, checked_at: checkedAt }: StatusRow): string[] {
    // Null: not read yet.
    const isRead = checkedAt !== null && before.checked_at !== checkedAt;
    if (!isRead && before.true_level === level) return [];
    const since = Date.now() - READING_MS;
    const wasBroken = this.#brokenAt >= since;
    if (level === 'UNKNOWN') {
      if (!wasBroken) return ['the page is read as UNKNOWN although it answered'];
      const age = Date.now() - Date.parse(before.checked_at ?? '');
      const isEarly = before.true_level !== 'UNKNOWN' && age < this.#staleMs;
      return isEarly ? [`a failed read ended ${before.true_level} before it was too old`] : [];
    }
    const reads = this.#reads.filter(({ at }) => at >= since);
    const [lines = [], outages = []] = (['orgs', 'outages'] as const).map((file) =>
      reads.filter((one) => one.file === file).map((one) => one.level),
    );
    // The two files are fetched concurrently, but not at the same instant.
    const readable = lines.flatMap((line) => outages.map((outage) => worst([line, outage])));
    // The highest level needs only one file. A lower one may come from it too, but stays as old as the level before.
    const isRaised = (one: string): boolean =>
      !isRead && worst([one, before.true_level]) !== before.true_level;
    if (wasBroken) readable.push(...[...lines, ...outages].filter((one) => one === HIGHEST || isRaised(one)));
    if (readable.includes(level)) return [];
    return [`the page is read as ${level}, but says ${[...new Set(readable)].join(' or ') || 'nothing'}`];
  }
}

function levelIn(file: File, { orgs, outages }: StatusState): string {
  const services = orgs.find(({ id }) => id === 'ads-manager')?.services;
  const service = services?.find(({ name }) => name === 'Ads Delivery');
  const open = (outages.get('ads-manager') ?? []).find(
    (outage) => outage.service_id === service?.id && !isOver(outage.status),
  );
  const phrase = file === 'orgs' ? service?.status : open?.status;
  if (phrase === undefined || isOver(phrase)) return 'UP';
  return `${/low|medium|high/i.exec(phrase)?.[0]?.toUpperCase() ?? 'UNKNOWN'}_DISRUPTION`;
}

/** The known level, the thresholds that it meets, and the end of each match, by specification. */
export class ThresholdMatches {
  readonly #staleMs: number;
  /** Uncertain: several changes came at once, so the end of the last match is unknown. */
  readonly #matches = new Map<Threshold, { isMatched: boolean; endedAt: number; isUncertain: boolean }>();
  #known: string | null = null;

  constructor(staleMs: number) {
    this.#staleMs = staleMs;
  }

  /** The effective level now. */
  effectiveOf({ override_level, checked_at, true_level }: StatusRow): string {
    const age = Date.now() - Date.parse(checked_at ?? '');
    return forced(override_level) ?? (age <= this.#staleMs ? true_level : 'UNKNOWN');
  }

  /** @param isMuchAtOnce an override may have been set and cleared in between, a match begun and ended */
  check({ status: before }: Snapshot, { status }: Snapshot, isMuchAtOnce: boolean): string[] {
    const isNews = (['checked_at', 'true_level', 'override_level'] as const).some(
      (key) => before[key] !== status[key],
    );
    const recorded = forced(status.override_level) ?? status.true_level;
    const mayHaveBeenForced =
      isMuchAtOnce && status.override_level === null && before.known_level !== status.known_level;
    if (mayHaveBeenForced) this.#known = status.known_level;
    else if ((isNews || this.#known === null) && recorded !== 'UNKNOWN') this.#known = recorded;
    const known = (this.#known ??= 'UP');
    for (const threshold of THRESHOLDS) {
      const isMatched = meets(known, threshold);
      const last = this.#matches.get(threshold) ?? { isMatched: false, endedAt: 0, isUncertain: false };
      const match = last.isMatched && !isMatched ? { endedAt: Date.now(), isUncertain: false } : last;
      this.#matches.set(threshold, { ...match, isMatched, isUncertain: match.isUncertain || isMuchAtOnce });
    }
    return status.known_level === known ? [] : [`the level is ${status.known_level}, by the text ${known}`];
  }

  isMatched(threshold: Threshold): boolean {
    return this.#matches.get(threshold)?.isMatched ?? false;
  }

  /** The resume time of the user's holds that began with this threshold; null while it is met. */
  resumeAt({ resume_settings }: UserRow, threshold: Threshold): number | null {
    const match = this.#matches.get(threshold);
    if (match === undefined || match.isMatched) return null;
    return naiveResumeTime(resume_settings, match.endedAt);
  }

  knowsWhenEnded(threshold: Threshold): boolean {
    return this.#matches.get(threshold)?.isUncertain === false;
  }
}

function forced(directive: string | null): string | undefined {
  const level = directive?.replace('FORCE_', '');
  return level === undefined || level === 'UP' ? level : `${level}_DISRUPTION`;
}

const newYork = new Intl.DateTimeFormat('en-US', {
  ...{ timeZone: 'America/New_York', hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
});
const MINUTE = 60_000;
const UNITS: Record<string, number> = { minutes: MINUTE, hours: 60 * MINUTE, days: 24 * 60 * MINUTE };
const midnights = new Map<number, number>();

/** The resume time after a match that ended then, computed from the specification minute by minute. */
function naiveResumeTime({ mode, delay }: UserRow['resume_settings'], endedAt: number): number {
  if (mode === 'instant') return endedAt;
  if (mode === 'delay') return endedAt + (delay?.value ?? NaN) * (UNITS[delay?.unit ?? ''] ?? NaN);
  const first = Math.floor(endedAt / MINUTE) * MINUTE + MINUTE;
  let minute = midnights.get(first) ?? first;
  while (newYork.format(minute) !== '00:01') minute += MINUTE;
  midnights.set(first, minute);
  return minute;
}
