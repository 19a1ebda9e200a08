import type { StatusPage } from '../../simulators/meta-status/server.ts';
import type { StatusState } from '../../simulators/meta-status/state.ts';
import { isOver } from '../../simulators/meta-status/state.ts';
import { SEVERITY } from './severity.ts';
import type { StatusRow } from './snapshot.ts';

const PRODUCT = 'ads-manager';
const HIGHEST = 'HIGH_DISRUPTION';
const SERVICE = 'Ads Delivery';
/** Longer than any status observation takes, retries and timeouts included. */
const READING_MS = 30_000;

/** One file has the service's status, the other its open outage. */
type File = 'orgs' | 'outages';

interface ObservedRequest {
  at: number;
  file: File;
  level: string;
}

/** A response with one of these faults is readable, but not understood; with any other one it is not read. */
const UNCLEAR = 'unknown_phrase';

/** What the status page returned at each request: the levels that the product may have read. */
export class StatusObservations {
  readonly #page: StatusPage;
  readonly #now: () => number;
  /** The age of a level from which on it may no longer stand, whatever the clock of the process says. */
  readonly #mayBeStaleMs: () => number;
  readonly #last: Record<File, string> = { orgs: 'UP', outages: 'UP' };
  #reads: ObservedRequest[] = [];
  #changedAt = 0;
  #brokenAt = -Infinity;
  #unclearAt = -Infinity;
  #hits = { all: 0, unclear: 0 };

  constructor(options: { page: StatusPage; now: () => number; staleMs: number; skewMs: () => number }) {
    this.#page = options.page;
    this.#now = options.now;
    this.#mayBeStaleMs = () => options.staleMs - 2 * options.skewMs();
  }

  /** When the page first returned its current level. */
  get changedAt(): number {
    return this.#changedAt;
  }

  onServed(path: string): void {
    const file: File = path.includes('outages') ? 'outages' : 'orgs';
    const at = this.#now();
    const before = this.#says();
    this.#last[file] = levelsOn(this.#page.state)[file];
    if (before !== this.#says()) this.#changedAt = at;
    this.#reads = this.#reads.filter((one) => one.at >= at - READING_MS);
    const { faults } = this.#page;
    const unclear = faults.list().reduce((sum, { kind, hits }) => sum + (kind === UNCLEAR ? hits : 0), 0);
    const isUnclear = unclear > this.#hits.unclear;
    // A list without open outages has no phrase that could be unknown.
    const isAffected = isUnclear && (file === 'orgs' || this.#last[file] !== 'UP');
    if (isAffected) this.#unclearAt = at;
    else if (!isUnclear && faults.hits > this.#hits.all) this.onBroken();
    else this.#reads.push({ at, file, level: this.#last[file] });
    this.#hits = { all: faults.hits, unclear };
  }

  #says(): string {
    return worst(Object.values(this.#last));
  }

  /** A response is broken, outdated or missing, or the machine slept during the request. */
  onBroken(): void {
    this.#brokenAt = this.#now();
  }

  /** @returns the violation of a change of the stored level; null: none */
  check(before: StatusRow, { true_level: level, checked_at: checkedAt }: StatusRow): string | null {
    const isRead = before.checked_at !== checkedAt;
    if (!isRead && before.true_level === level) return null;
    const since = this.#now() - READING_MS;
    const wasBroken = this.#brokenAt >= since;
    const wasUnclear = this.#unclearAt >= since;
    if (level === 'UNKNOWN') {
      if (wasUnclear) return null;
      if (!wasBroken) return 'the page is read as UNKNOWN although it answered';
      const wasKnown = before.true_level !== 'UNKNOWN' && before.checked_at !== null;
      const isEarly = wasKnown && this.#now() - Date.parse(before.checked_at ?? '') < this.#mayBeStaleMs();
      return isEarly ? `a failed read ended ${before.true_level} before it was too old` : null;
    }
    const of = (file: File): string[] =>
      this.#reads.filter((one) => one.file === file && one.at >= since).map((one) => one.level);
    // The two files are fetched concurrently, but not at the same instant.
    const readable = of('orgs').flatMap((line) => of('outages').map((outage) => worst([line, outage])));
    // The highest level needs only one file. A lower one may come from it too, but stays as old as the level before.
    const isRaised = (one: string) =>
      wasBroken && !isRead && worst([one, before.true_level]) !== before.true_level;
    if (wasBroken || wasUnclear)
      readable.push(...[...of('orgs'), ...of('outages')].filter((one) => one === HIGHEST || isRaised(one)));
    if (readable.includes(level)) return null;
    return `the page is read as ${level}, but says ${[...new Set(readable)].join(' or ') || 'nothing'}`;
  }
}

function levelsOn({ orgs, outages }: StatusState): Record<File, string> {
  const service = orgs.find(({ id }) => id === PRODUCT)?.services.find(({ name }) => name === SERVICE);
  if (service === undefined) return { orgs: 'UNKNOWN', outages: 'UNKNOWN' };
  const open = (outages.get(PRODUCT) ?? []).find(
    (outage) => outage.service_id === service.id && !isOver(outage.status),
  );
  return { orgs: levelOf(service.status), outages: open === undefined ? 'UP' : levelOf(open.status) };
}

function levelOf(words: string): string {
  if (isOver(words)) return 'UP';
  return `${/low|medium|high/i.exec(words)?.[0]?.toUpperCase() ?? 'UNKNOWN'}_DISRUPTION`;
}

function worst(levels: readonly string[]): string {
  return levels.toSorted((a, b) => (SEVERITY[b] ?? 9) - (SEVERITY[a] ?? 9))[0] ?? '';
}
