import type { Trouble } from '#core/trouble.ts';
import type { Clock } from './clock.ts';

/** Remembers since when something fails, as this process has found. */
export function watchTrouble(clock: Clock): {
  fails: (lastError: string) => void;
  answers: () => void;
  current: () => Trouble | null;
} {
  let trouble: Trouble | null = null;
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
