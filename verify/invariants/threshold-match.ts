import { naiveResumeTime } from './resume-time.ts';
import { meets } from './severity.ts';
import type { UserRow, Snapshot, StatusRow } from './snapshot.ts';

const FORCED: Record<string, string> = {
  FORCE_UP: 'UP',
  FORCE_LOW: 'LOW_DISRUPTION',
  FORCE_MEDIUM: 'MEDIUM_DISRUPTION',
  FORCE_HIGH: 'HIGH_DISRUPTION',
};

interface Match {
  isMatched: boolean;
  endedAt: number;
  /** Several changes came at once, so the end of the last match is unknown. */
  isUncertain: boolean;
}

/** The known level, the users whose threshold it meets, and the end of each match, by specification. */
export class ThresholdMatches {
  readonly #now: () => number;
  readonly #staleMs: () => number;
  readonly #matches = new Map<number, Match>();
  #known: string | null = null;

  /** @param staleMs the age at which a status observation no longer counts */
  constructor(now: () => number, staleMs: () => number) {
    this.#now = now;
    this.#staleMs = staleMs;
  }

  /** The effective level now. */
  effectiveOf({ directive, checked_at, true_level }: StatusRow): string {
    const isStale = checked_at === null || this.#now() - Date.parse(checked_at) > this.#staleMs();
    return forced(directive) ?? (isStale ? 'UNKNOWN' : true_level);
  }

  /**
   * @param isMuchAtOnce an override may have been set and cleared in between
   * @returns the level that should be known by now
   */
  foldStatus(before: StatusRow, status: StatusRow, isMuchAtOnce: boolean): string {
    const isNews = (['checked_at', 'true_level', 'directive'] as const).some(
      (key) => before[key] !== status[key],
    );
    const recorded = forced(status.directive) ?? status.true_level;
    if ((isNews || this.#known === null) && recorded !== 'UNKNOWN') this.#known = recorded;
    this.#known ??= 'UP';
    const mayHaveBeenForced = isMuchAtOnce && status.directive === null && before.known !== status.known;
    if (mayHaveBeenForced) this.#known = status.known;
    return this.#known;
  }

  /** @param isMuchAtOnce a match may have begun and ended in between */
  foldMatches({ users }: Snapshot, isMuchAtOnce: boolean): void {
    for (const { id, threshold } of users) {
      const isMatched = meets(this.#known ?? 'UP', threshold);
      const match = this.#matches.get(id) ?? { isMatched: false, endedAt: 0, isUncertain: false };
      if (match.isMatched && !isMatched) {
        match.endedAt = this.#now();
        match.isUncertain = false;
      }
      match.isUncertain ||= isMuchAtOnce;
      match.isMatched = isMatched;
      this.#matches.set(id, match);
    }
  }

  isMatched(userId: number): boolean {
    return this.#matches.get(userId)?.isMatched ?? false;
  }

  /** The resume time of the user's holds; null while the threshold is met. */
  resumeAt(user: UserRow): number | null {
    const match = this.#matches.get(user.id);
    if (match === undefined || match.isMatched) return null;
    return naiveResumeTime(user.resume_settings, match.endedAt);
  }

  /** Milliseconds; 0: there was none. */
  endedAt(userId: number): number {
    return this.#matches.get(userId)?.endedAt ?? 0;
  }

  knowsWhenEnded(userId: number): boolean {
    return this.#matches.get(userId)?.isUncertain === false;
  }
}

function forced(directive: string | null): string | undefined {
  return directive === null ? undefined : FORCED[directive];
}
