import type { Instant } from '../time.ts';
import { earliest, seconds } from '../time.ts';

/** What a list or a read by id surprisingly lacks is believed after a second look that began this much later. */
export const SECOND_LOOK_MS = seconds(10);
/** A list that has lost at least so many of its campaigns, and at least this share of them, is looked at twice. */
export const SHRUNK = { campaigns: 4, share: 0.5 } as const;

/** Reads by id that found a campaign deleted or archived, or not at all. */
export interface EndedReads {
  firstAt: Instant;
  lastAt: Instant;
}

export interface ListAndWishes {
  /** Ids of the campaigns that the list has. */
  listed: ReadonlySet<string>;
  /** Campaigns with SmartPause on, of any user. */
  on: Iterable<string>;
  /** Campaigns with a live hold or a write. */
  owed: Iterable<string>;
  /** By campaign. */
  ended: ReadonlyMap<string, EndedReads>;
}

/** Campaigns that the list lacks and that the plan needs. One that is known to have ended begins no hold any more. */
export function idsToReadById({ listed, on, owed, ended }: ListAndWishes): string[] {
  const pausable = [...on].filter((id) => !isKnownToHaveEnded(ended.get(id)));
  return [...new Set([...owed, ...pausable])].filter((id) => !listed.has(id));
}

/** When to read again what had no answer, by the first read without one; null: as usual, since that may last. */
export function lookForAnswers(unanswered: ReadonlyMap<string, Instant>, readAt: Instant): Instant | null {
  return earliest(
    [...unanswered.values()].map((since) => since + SECOND_LOOK_MS).filter((at) => at > readAt),
  );
}

function isKnownToHaveEnded(reads: EndedReads | undefined): boolean {
  return reads !== undefined && reads.lastAt - reads.firstAt >= SECOND_LOOK_MS;
}
