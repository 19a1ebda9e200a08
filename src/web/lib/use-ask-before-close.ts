import { useWindowEvent } from '@mantine/hooks';
import { readToken, shownToken } from './session.ts';

/** The browser asks before it closes the page, while something would be lost by that. */
export function useAskBeforeClose(wouldLose: boolean): void {
  useWindowEvent('beforeunload', (event) => {
    // After a logout, a revocation or a deletion the page redirects, and must not ask.
    if (wouldLose && readToken() === shownToken()) event.preventDefault();
  });
}
