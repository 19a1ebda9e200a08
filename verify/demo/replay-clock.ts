import type { Clock } from '../../src/server/clock.ts';

export interface Replay {
  /** Real time of the start, in milliseconds. */
  started: number;
  /** The replayed time at the start. */
  begins: number;
  /** Replayed seconds per real second. */
  speed: number;
}

/** The replayed time for a real time in milliseconds. */
export function replayedAt({ started, begins, speed }: Replay, realMs: number): number {
  return begins + (realMs - started) * speed;
}

/** A clock that runs faster than the real one, equal in all processes with the same start. */
export function replayClock(replay: Replay): Clock {
  return {
    now: () => Math.round(replayedAt(replay, Date.now())),
    after(ms, callback) {
      const timer = setTimeout(callback, Math.max(0, ms / replay.speed));
      return () => clearTimeout(timer);
    },
  };
}
