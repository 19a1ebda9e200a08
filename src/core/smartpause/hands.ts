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
 * As long as the list that a pause is decided on may be under way: a hand within that time may have been unknown to it.
 * Not more, since our own entry may be missing from the log for a while, and what a hand did long before is not about us.
 */
export const READING_MS = seconds(15);

/**
 * Campaigns whose last change since they are held was somebody else's. What the log does not tell of is as it was.
 * @param changes of a log, newest first
 */
export function changedByOthers(
  changes: readonly StatusChange[],
  holds: readonly { campaignId: string; createdAt: Instant }[],
): Set<string> {
  const theirs = holds.filter(({ campaignId, createdAt }) => {
    const last = changes.find((change) => change.campaignId === campaignId);
    return last !== undefined && !last.isOurs && last.at >= createdAt - READING_MS;
  });
  return new Set(theirs.map(({ campaignId }) => campaignId));
}
