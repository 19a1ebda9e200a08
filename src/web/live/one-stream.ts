import { CHANGES_PATH } from '#contract/changes.ts';
import { minutes, seconds } from '#core/time.ts';
import { hearOfRefusedToken } from '../call.ts';
import { doubtConnection, isConnected, onConnectionChange } from '../connection.ts';
import { readEvents } from './read-events.ts';

/** The server gives a sign of life every 20 s. */
export const SILENCE_MS = seconds(50);
const FIRST_RETRY_MS = seconds(1);
const LAST_RETRY_MS = seconds(30);
/** Whoever is told to come back later does so within that. */
const LATEST_RETURN_MS = minutes(10);
/** A stream that did not last is no reason to hurry with the next. */
const LASTING_MS = seconds(10);

export interface StreamHandlers {
  onData: (data: string) => void;
  /** It is still there. */
  onSign: () => void;
  /** It has ended, or did not open; it will be opened again. */
  onEnd: () => void;
}

/** How one attempt went, and when the next may be made. */
interface Ending {
  hasFailed: boolean;
  /** The server's word on how soon to come back. */
  notBeforeMs: number;
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
    const { hasFailed, notBeforeMs } = await attempt();
    if (isGone()) return;
    handlers.onEnd();
    failures = performance.now() - openedAt > LASTING_MS ? 1 : failures + 1;
    // One that breaks off says nothing yet: a server that is just replaced ends all its streams.
    if (hasFailed && failures > 1) doubtConnection();
    const longestMs = Math.max(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS), withinMs);
    const isHurried = await pause(notBeforeMs + longestMs * (0.25 + 0.75 * Math.random()), leaving);
    if (isGone()) return;
    if (isHurried) failures = 0;
  }

  async function attempt(): Promise<Ending> {
    const silent = new AbortController();
    let silence = setTimeout(() => silent.abort(), SILENCE_MS);
    const onSign = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => silent.abort(), SILENCE_MS);
      handlers.onSign();
    };
    try {
      const headers = { authorization: `Bearer ${token}` };
      const signal = AbortSignal.any([leaving, silent.signal]);
      const answer = await fetch(CHANGES_PATH, { headers, cache: 'no-store', signal });
      if (answer.status === 401) await hearOfRefusedToken(token);
      if (!answer.ok || answer.body === null) return { hasFailed: false, notBeforeMs: retryAfterOf(answer) };
      const onRetry = (ms: number): void => void (withinMs = Math.min(ms, LATEST_RETURN_MS));
      await readEvents(answer.body, { onSign, onRetry, onData: handlers.onData });
      return { hasFailed: false, notBeforeMs: 0 };
    } catch {
      return { hasFailed: true, notBeforeMs: 0 };
    } finally {
      clearTimeout(silence);
    }
  }
}

function retryAfterOf({ headers }: Response): number {
  const ms = seconds(Number(headers.get('retry-after')));
  return ms > 0 ? Math.min(ms, LATEST_RETURN_MS) : 0;
}

/** Says whether it was cut short, because what kept the stream from opening may be over. */
function pause(ms: number, leaving: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isHurried: boolean): void => {
      clearTimeout(timer);
      leaving.removeEventListener('abort', leave);
      window.removeEventListener('online', hurry);
      forget();
      resolve(isHurried);
    };
    const leave = (): void => end(false);
    const hurry = (): void => {
      if (isConnected()) end(true);
    };
    const timer = setTimeout(leave, ms);
    leaving.addEventListener('abort', leave);
    window.addEventListener('online', hurry);
    const forget = onConnectionChange(hurry);
  });
}
