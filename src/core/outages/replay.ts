import type { ResumeSettings } from '../settings.ts';
import type { Instant } from '../time.ts';
import type { Threshold } from '../smartpause/level.ts';
import { meetsThreshold } from '../smartpause/level.ts';
import type { Outage } from './outage.ts';
import { firstResumeAt } from '../smartpause/resume-time.ts';
import { INITIAL_STATUS, nextStatus } from '../smartpause/status.ts';

export interface ReplayChoice {
  threshold: Threshold;
  resume: ResumeSettings;
  /** Of the ad accounts; the first one that resumes counts. */
  timeZones: readonly string[];
}

interface Pause {
  from: Instant;
  /** Null: the threshold is still met. */
  to: Instant | null;
}

/** What a choice of settings does in one outage. */
export interface Replayed<O extends Outage> {
  outage: O;
  /** Null: the outage does not meet the threshold. Before its start: campaigns were still paused. */
  pausedAt: Instant | null;
  /** Null: not yet, or not paused. */
  resumedAt: Instant | null;
}

/**
 * What SmartPause would have done with a running campaign, by the rules of the reconciler. The total is of the pauses
 * that have an end.
 * @param outages oldest first, without overlaps
 */
export function replayOutages<O extends Outage>(
  outages: readonly O[],
  choice: ReplayChoice,
): { replays: Replayed<O>[]; pausedMs: number } {
  const pauses = pausesOf(outages, choice);
  const endOf = ({ to }: Pause) => to ?? Infinity;
  const replays = outages.map((outage) => {
    const isMet = meetsThreshold(outage.peak, choice.threshold);
    const own = pauses.filter(
      (pause) => isMet && pause.from <= (outage.endedAt ?? Infinity) && endOf(pause) >= outage.startedAt,
    );
    return { outage, pausedAt: own[0]?.from ?? null, resumedAt: own.at(-1)?.to ?? null };
  });
  const pausedMs = pauses.reduce((sum, { from, to }) => sum + (to ?? from) - from, 0);
  return { replays, pausedMs };
}

function pausesOf(outages: readonly Outage[], { threshold, resume, timeZones }: ReplayChoice): Pause[] {
  const pauses: Pause[] = [];
  let status = INITIAL_STATUS;
  for (const { level, at } of outages.flatMap(({ levels }) => levels)) {
    status = nextStatus(status, { trueLevel: level }, at);
    const last = pauses.at(-1);
    // A pause whose resume is not due yet goes on with the next match.
    const isOpen = last !== undefined && (last.to === null || last.to > at);
    if (meetsThreshold(status.known, threshold)) {
      if (isOpen) last.to = null;
      else pauses.push({ from: at, to: null });
    } else if (last?.to === null) {
      last.to = firstResumeAt(status, { threshold, resume }, timeZones);
    }
  }
  return pauses;
}
