import type { Clock } from '../../src/server/clock.ts';

export interface Replay {
  /** Real time, in milliseconds, at which the replay starts. */
  started: number;
  /** The replayed time at that moment. */
  begins: number;
  /** Replayed seconds in one real second. */
  speed: number;
}

/** The replayed time that a real moment stands for. */
export function replayedAt({ started, begins, speed }: Replay, realMs: number): number {
  return begins + (realMs - started) * speed;
}

/** A clock that runs faster than the real one, the same in every process that is given the same start. */
export function replayClock(replay: Replay): Clock {
  return {
    now: () => Math.round(replayedAt(replay, Date.now())),
    after(ms, callback) {
      const timer = setTimeout(callback, Math.max(0, ms / replay.speed));
      return () => clearTimeout(timer);
    },
  };
}
