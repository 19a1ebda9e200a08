import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';
import type { Hold, LiveStatus } from './hold.ts';

/** One entry of the platform's activity log: a change of a campaign's status. */
export interface StatusChange {
  campaignId: string;
  at: Instant;
  /** Made through our app. */
  isOurs: boolean;
  /** The new status; null: the entry's wording is unknown. */
  to: 'ACTIVE' | 'PAUSED' | null;
}

/** All times are by the platform's clock. */
interface Logged extends Pick<Hold, 'campaignId' | 'pausedAt'> {
  /** When the list was requested on which the decision to pause is based. */
  platformReadAt: Instant;
}

/**
 * Tolerance for external changes, because the platform's clock is known only roughly. Not larger: our own
 * entry may be late, and much earlier changes do not concern the hold.
 */
export const CLOCKS_APART_MS = seconds(15);

/** The platform reports log entries and its clock in whole seconds. */
const ROUNDED_MS = seconds(2);

/** What the log says about one hold since the decision to pause. A missing entry is no information. */
export interface Finding {
  /** The last change is external. */
  external: boolean;
  /** The last change is a write of ours that undid an external change. */
  undone: boolean;
  /** Our last write that was carried out, whatever others did later. */
  pausedByUs: boolean;
  resumedByUs: boolean;
}

export const NOTHING_FOUND: Finding = {
  external: false,
  undone: false,
  pausedByUs: false,
  resumedByUs: false,
};

/**
 * @param changes of a log, newest first
 * @param found statuses just read: an entry with another status is not the last change, which the log does
 * not show yet
 * @returns by campaign
 */
export function readLog(
  changes: readonly StatusChange[],
  holds: readonly Logged[],
  found: ReadonlyMap<string, LiveStatus>,
): Map<string, Finding> {
  return new Map(
    holds.map((hold) => {
      const own = changes.filter(({ campaignId }) => campaignId === hold.campaignId);
      return [hold.campaignId, findingOf(own, hold, found.get(hold.campaignId))];
    }),
  );
}

function findingOf(
  changes: readonly StatusChange[],
  { platformReadAt, pausedAt }: Logged,
  found: LiveStatus | undefined,
): Finding {
  const since = platformReadAt - CLOCKS_APART_MS;
  const isOurs = (change: StatusChange): boolean => change.isOurs && change.at >= platformReadAt - ROUNDED_MS;
  // The last one: a former hold may have ended in the same second.
  const lastOurs = changes.find(isOurs)?.to;
  const finding = {
    ...NOTHING_FOUND,
    pausedByUs: lastOurs === 'PAUSED',
    resumedByUs: lastOurs === 'ACTIVE',
  };
  const [last, before, ...earlier] = changes;
  if (last === undefined || (last.to !== null && last.to !== found)) return finding;
  if (!last.isOurs) return { ...finding, external: last.at >= since };
  if (last.to === null || before?.isOurs !== false || before.to === null || before.to === last.to)
    return finding;
  // An external resume before our first pause does not matter.
  const isDuringPause =
    (pausedAt !== null && before.at >= pausedAt) ||
    earlier.some((change) => isOurs(change) && change.to === 'PAUSED');
  return {
    ...finding,
    undone: last.to === 'ACTIVE' ? before.at >= since : isDuringPause && before.at >= since,
  };
}
