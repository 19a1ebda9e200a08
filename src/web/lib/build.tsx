import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { BUILD } from '#contract/build.ts';
import { minutes } from '#core/time.ts';

/** During a release servers of two builds respond in turn, so only a lasting difference counts. */
const RELEASE_MS = minutes(1);

let waiting: ReturnType<typeof setTimeout> | undefined;
let isOffered = false;

/** Offers to reload a page that another build of the server has replaced: once, and not while something is unsaved. */
export function compareBuild({ headers }: Response): void {
  const theirs = headers.get(BUILD);
  if (theirs === null || isOffered) return;
  const own = document.querySelector<HTMLMetaElement>(`meta[name="${BUILD}"]`)?.content ?? theirs;
  if (own !== theirs) {
    waiting ??= setTimeout(offer, RELEASE_MS);
    return;
  }
  clearTimeout(waiting);
  waiting = undefined;
}

function offer(): void {
  if (wouldLose()) {
    waiting = setTimeout(offer, RELEASE_MS);
    return;
  }
  isOffered = true;
  notifications.show({
    title: 'A new version is available',
    message: (
      <Button size="xs" variant="default" mt={4} onClick={() => window.location.reload()}>
        Reload
      </Button>
    ),
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}

/** As the browser asks before it closes the page. */
function wouldLose(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
