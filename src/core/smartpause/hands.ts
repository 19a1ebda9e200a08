import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';
import type { Hold, LiveStatus } from './hold.ts';
import { LATE_WRITE_MS } from './hold.ts';

/** One entry of the platform's log: somebody changed a campaign's status. */
export interface StatusChange {
  campaignId: string;
  at: Instant;
  /** Made through our app. */
  isOurs: boolean;
  /** What it was changed to; null: not told in words that we know. */
  to: 'ACTIVE' | 'PAUSED' | null;
}

/** All by the platform's clock. */
interface Watched extends Pick<Hold, 'campaignId' | 'lateResumeUntil' | 'pausedAt'> {
  /** When the list was asked for on which it was decided. */
  platformReadAt: Instant;
}

/**
 * So much earlier than it was may a hand stand in the log: what its clock says is known by its answers, and roughly. Not more, since our own entry may be
 * missing from it for a while, and what a hand did long before is not about us.
 */
export const CLOCKS_APART_MS = seconds(15);

/** Its entries and its clock are told in whole seconds. */
const ROUNDED_MS = seconds(2);

/** What the platform's log tells of held campaigns. What it does not tell of is as it was. */
export interface Told {
  /** Their last change was somebody else's, and came after the list on which we decided to hold them. */
  changedByOthers: Set<string>;
  /** Their last change was a resume of ours, within the time in which a lost one may be carried out. */
  resumedLate: Set<string>;
  /** Somebody set them otherwise after we had paused or resumed them, and then a change of ours undid that. */
  undone: Set<string>;
  /** We have paused them since we decided to, whatever came after that. */
  pausedByUs: Set<string>;
}

/**
 * @param changes of a log, newest first
 * @param found as the campaigns were just read: an entry that set something else is not the last change, since that
 * one is not in the log yet
 */
export function readLog(
  changes: readonly StatusChange[],
  holds: readonly Watched[],
  found: ReadonlyMap<string, LiveStatus>,
): Told {
  const told: Told = {
    changedByOthers: new Set(),
    resumedLate: new Set(),
    undone: new Set(),
    pausedByUs: new Set(),
  };
  for (const { campaignId, platformReadAt, lateResumeUntil, pausedAt } of holds) {
    const own = changes.filter((change) => change.campaignId === campaignId);
    const isOurPause = ({ isOurs, to, at }: StatusChange): boolean =>
      isOurs && to === 'PAUSED' && at >= platformReadAt - ROUNDED_MS;
    if (own.some(isOurPause)) told.pausedByUs.add(campaignId);
    const [last, before] = own;
    if (last === undefined || (last.to !== null && last.to !== found.get(campaignId))) continue;
    if (!last.isOurs && last.at >= platformReadAt - CLOCKS_APART_MS) told.changedByOthers.add(campaignId);
    const isLate =
      lateResumeUntil !== null && Math.abs(last.at - lateResumeUntil) <= LATE_WRITE_MS + CLOCKS_APART_MS;
    if (!last.isOurs || last.to === null) continue;
    if (last.to === 'ACTIVE' && isLate) told.resumedLate.add(campaignId);
    // A resume by hand before we paused it is no news.
    const since = last.to === 'ACTIVE' ? platformReadAt - CLOCKS_APART_MS : pausedAt;
    const wasTheirs = before?.isOurs === false && before.to !== null && before.to !== last.to;
    if (wasTheirs && since !== null && before.at >= since) told.undone.add(campaignId);
  }
  return told;
}
