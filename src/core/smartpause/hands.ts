import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';

/** One entry of the platform's log: somebody changed a campaign's status. */
export interface StatusChange {
  campaignId: string;
  at: Instant;
  /** Made through our app. */
  isOurs: boolean;
}

/**
 * So much earlier than it was may a hand stand in the log: its clock is not ours. Not more, since our own entry may be
 * missing from it for a while, and what a hand did long before is not about us.
 */
export const CLOCKS_APART_MS = seconds(15);

/**
 * Campaigns whose last change was somebody else's, and came after the list on which we decided to hold them. What the log does not tell of is as it was.
 * @param changes of a log, newest first
 */
export function changedByOthers(
  changes: readonly StatusChange[],
  holds: readonly { campaignId: string; readAt: Instant }[],
): Set<string> {
  const theirs = holds.filter(({ campaignId, readAt }) => {
    const last = changes.find((change) => change.campaignId === campaignId);
    return last !== undefined && !last.isOurs && last.at >= readAt - CLOCKS_APART_MS;
  });
  return new Set(theirs.map(({ campaignId }) => campaignId));
}
