import { holdStream } from './one-stream.ts';
import type { StreamHandlers } from './one-stream.ts';
import { watchForSilence } from './silence.ts';

/** What pages say to each other besides what the server says, which are objects in JSON. */
const WHO_IS_THERE = 'who';
const OPEN = 'open';
const ENDED = 'ended';

/**
 * A stream for this page until `leaving`. All visible pages of a browser with the same token have one between them:
 * browsers allow but six connections to a host. The page that holds the lock has it and tells the others; when that
 * page goes, by whatever end, the lock goes to the next, which opens a stream of its own.
 */
export async function shareStream(
  token: string,
  leaving: AbortSignal,
  handlers: StreamHandlers & { onOpenElsewhere: () => void },
): Promise<void> {
  const isGone = () => leaving.aborted;
  const name = await nameOf(token);
  if (isGone()) return;
  if (name === null) return holdStream(token, leaving, handlers);

  const others = new BroadcastChannel(name);
  let isLeading = false;
  let isOpen = false;
  const silence = watchForSilence(handlers.onEnd);

  others.onmessage = ({ data: said }: MessageEvent<string>) => {
    if (said === WHO_IS_THERE) {
      if (isLeading && isOpen) others.postMessage(OPEN);
      return;
    }
    if (isLeading) return;
    silence.onSign();
    if (said === ENDED) handlers.onEnd();
    else if (said === OPEN) handlers.onOpenElsewhere();
    else handlers.onData(said);
  };
  others.postMessage(WHO_IS_THERE);

  const lead = async (): Promise<void> => {
    isLeading = true;
    silence.stop();
    // Whoever led before may not have had the time to say that it is over.
    handlers.onEnd();
    others.postMessage(ENDED);
    await holdStream(token, leaving, {
      onData: (data) => {
        isOpen = true;
        handlers.onData(data);
        others.postMessage(data);
      },
      onSign: () => {
        if (isOpen) others.postMessage(OPEN);
      },
      onEnd: () => {
        isOpen = false;
        handlers.onEnd();
        others.postMessage(ENDED);
      },
    });
  };

  try {
    await navigator.locks.request(name, { signal: leaving }, lead);
  } catch {
    // A browser may refuse its locks.
    if (!isGone()) await holdStream(token, leaving, handlers);
  } finally {
    silence.stop();
    others.close();
  }
}

/** The same for all pages with this token, and says nothing about it. Null where pages cannot agree with each other. */
async function nameOf(token: string): Promise<string | null> {
  // Only secure pages have them; whatever has locks has all else that is needed.
  if (!('locks' in navigator)) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `stream-${new Uint32Array(digest, 0, 2).join('-')}`;
}
