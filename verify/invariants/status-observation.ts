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

/** What the status page returned at each request: the levels that the product may have read. */
export class StatusObservations {
  readonly #page: StatusPage;
  readonly #now: () => number;
  readonly #last: Record<File, string> = { orgs: 'UP', outages: 'UP' };
  #reads: ObservedRequest[] = [];
  #changedAt = 0;
  #brokenAt = -Infinity;
  #faults = 0;

  constructor(page: StatusPage, now: () => number) {
    this.#page = page;
    this.#now = now;
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
    this.#reads.push({ at, file, level: this.#last[file] });
    const faults = this.#page.faults.hits;
    if (faults > this.#faults) this.onBroken();
    this.#faults = faults;
  }

  #says(): string {
    return worst(Object.values(this.#last));
  }

  /** A response is broken or missing, or the machine slept during the request. */
  onBroken(): void {
    this.#brokenAt = this.#now();
  }

  /** @returns the violation of a new status observation; null: none */
  check({ true_level: level }: StatusRow): string | null {
    const since = this.#now() - READING_MS;
    const seen = this.#reads.filter(({ at }) => at >= since);
    const wasBroken = this.#brokenAt >= since;
    if (level === 'UNKNOWN') return wasBroken ? null : 'the page is read as UNKNOWN although it answered';
    const of = (file: File): string[] => seen.filter((one) => one.file === file).map((one) => one.level);
    // The two files are fetched concurrently, but not at the same instant.
    const readable = of('orgs').flatMap((line) => of('outages').map((outage) => worst([line, outage])));
    // The highest level needs only one file: the other cannot raise it.
    if (wasBroken && [...of('orgs'), ...of('outages')].includes(HIGHEST)) readable.push(HIGHEST);
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
