import { CHANGES_PATH } from '#contract/changes.ts';
import { minutes, seconds } from '#core/time.ts';
import { hearOfRefusedToken } from '../call.ts';
import { doubtConnection, onConnection } from '../connection.ts';
import { isOwnServer } from '../own-server.ts';
import { readEvents } from './read-events.ts';
import { watchForSilence } from './silence.ts';

const FIRST_RETRY_MS = seconds(1);
const LAST_RETRY_MS = seconds(30);
/** How long a page waits before it asks a server without a stream again. */
const ABSENT_MS = minutes(10);
/** A stream that did not last is no reason to hurry with the next. */
const LASTING_MS = seconds(10);

export interface StreamHandlers {
  onData: (data: string) => void;
  /** It is still there. */
  onSign: () => void;
  /** It has ended, or did not open; it will be opened again. */
  onEnd: () => void;
}

/** Keeps a stream of changes open until `leaving`, opening it again whenever it ends. */
export async function holdStream(
  token: string,
  leaving: AbortSignal,
  handlers: StreamHandlers,
): Promise<void> {
  const isGone = () => leaving.aborted;
  let failures = 0;
  let withinMs = FIRST_RETRY_MS;
  for (;;) {
    const openedAt = performance.now();
    const stayAwayMs = await attempt().catch(() => null);
    if (isGone()) return;
    handlers.onEnd();
    failures = performance.now() - openedAt > LASTING_MS ? 1 : failures + 1;
    // One that breaks off says nothing yet: a server that is just replaced ends all its streams.
    if (stayAwayMs === null && failures > 1) doubtConnection();
    const longestMs = Math.max(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS), withinMs);
    const isHurried = await pause((stayAwayMs ?? 0) + longestMs * (0.25 + 0.75 * Math.random()), leaving);
    if (isGone()) return;
    if (isHurried) failures = 0;
  }

  /** Answers with how long to stay away, if the server said so. */
  async function attempt(): Promise<number> {
    const silent = new AbortController();
    const silence = watchForSilence(() => silent.abort());
    const onSign = (): void => {
      silence.onSign();
      handlers.onSign();
    };
    silence.onSign();
    try {
      const headers = { authorization: `Bearer ${token}` };
      const signal = AbortSignal.any([leaving, silent.signal]);
      const answer = await fetch(CHANGES_PATH, { headers, cache: 'no-store', signal });
      if (answer.status === 401) await hearOfRefusedToken(token);
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (!isOwnServer() && (answer.status === 404 || (answer.ok && !isStream))) return ABSENT_MS;
      if (!answer.ok || answer.body === null) return seconds(Number(answer.headers.get('retry-after')));
      const onRetry = (ms: number): void => void (withinMs = ms);
      await readEvents(answer.body, { onSign, onRetry, onData: handlers.onData });
      return 0;
    } finally {
      silence.stop();
    }
  }
}

/** Says whether it was cut short, because what kept the stream from opening may be over. */
function pause(ms: number, leaving: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isHurried: boolean): void => {
      clearTimeout(timer);
      forget();
      resolve(isHurried);
    };
    const timer = setTimeout(end, ms, false);
    const forget = onConnection(() => end(true));
    leaving.addEventListener('abort', () => end(false), { once: true });
  });
}
