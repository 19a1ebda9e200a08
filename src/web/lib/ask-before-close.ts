import { useWindowEvent } from '@mantine/hooks';
import { readToken, shownToken } from './session.ts';

function ask(event: BeforeUnloadEvent): void {
  // After a logout, a revocation or a deletion the page redirects, and must not ask.
  if (readToken() === shownToken()) event.preventDefault();
}

/** The browser asks before it closes the page, while something would be lost by that. */
export function useAskBeforeClose(wouldLose: () => boolean): void {
  useWindowEvent('beforeunload', (event) => {
    if (wouldLose()) ask(event);
  });
}

/** As `useAskBeforeClose` while this work runs, whatever page is shown. */
export async function askingBeforeClose<Result>(work: () => Promise<Result>): Promise<Result> {
  window.addEventListener('beforeunload', ask);
  return work().finally(() => window.removeEventListener('beforeunload', ask));
}
