import { fullTimeWithUtc } from '../new-york.ts';
import type { Instant } from '../time.ts';
import { hours } from '../time.ts';

/** An outage that Meta's page still lists as open, and that no longer counts. */
export interface SilentIncident {
  /** On Meta's page; null: it has none. */
  id: string | null;
  service: string;
  phrase: string;
  since: Instant;
}

/**
 * Since when the own line of each watched service is clean in every reading that understood it; null: it is not.
 * A service whose line was never understood is absent.
 */
export type CleanSince = Readonly<Record<string, Instant | null>>;

/** An entry without a post for this long has been forgotten, if the line of its service is clean as long. */
const SILENT_MS = hours(12);

/** @param before undefined: the line was never understood; 0 then means that it counts as clean from the start */
export function nextCleanSince(
  before: Instant | null | undefined,
  isClean: boolean,
  now: Instant,
): Instant | null {
  if (!isClean) return null;
  return before === undefined ? 0 : (before ?? now);
}

/** @param lastPostAt 0: unknown */
export function isSilent(lastPostAt: Instant, cleanSince: Instant | null | undefined, now: Instant): boolean {
  const isLongAgo = (at: Instant) => now - at >= SILENT_MS;
  return lastPostAt > 0 && isLongAgo(lastPostAt) && cleanSince != null && isLongAgo(cleanSince);
}

export function silentText({ service, phrase, since }: SilentIncident): string {
  return `Meta’s status page still lists “${phrase}” for ${service} since ${fullTimeWithUtc(since)}, without a post for 12 hours. SmartPause treats it as ended.`;
}
