import type { OngoingFailure } from '#core/ongoing-failure.ts';
import type { Clock } from './clock.ts';

/** Records since when an operation fails in this process. */
export function watchFailure(clock: Clock): {
  fails: (lastError: string) => void;
  answers: () => void;
  current: () => OngoingFailure | null;
} {
  let trouble: OngoingFailure | null = null;
  return {
    fails: (lastError) => {
      trouble = { since: trouble?.since ?? clock.now(), lastError };
    },
    answers: () => {
      trouble = null;
    },
    current: () => trouble,
  };
}
