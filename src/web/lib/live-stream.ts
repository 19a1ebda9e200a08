import type { Topic } from '#contract/live-updates.ts';
import { EVENTS_PATH, liveEvent } from '#contract/live-updates.ts';
import { seconds } from '#core/time.ts';
import { leaveRefusedSession } from './session.ts';

/** At least this long, at most twice: spreads the pages of all users after a restart of the server. */
const RETRY_MS = seconds(8);

let isOpen = false;

/** Whether the stream is open, so that polling may be slower. */
export const isLive = (): boolean => isOpen;

export interface StreamHandlers {
  /** The stream is open; earlier changes did not arrive by it. */
  onOpen: () => void;
  onTopic: (topic: Topic) => void;
}

/**
 * Keeps the stream open until `signal` aborts or the server turns out to have none. The package `eventsource`
 * would not try again after a refusal or an error of a proxy.
 */
export async function followStream(
  token: string,
  signal: AbortSignal,
  handlers: StreamHandlers,
): Promise<void> {
  while (!signal.aborted) {
    const waitMs = await readStream(token, signal, handlers).catch(() => 0);
    isOpen = false;
    if (waitMs === null) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs + RETRY_MS * (1 + Math.random())));
  }
}

/** @returns the wait in ms that the server demands; null: it has no stream, so the page only polls */
async function readStream(
  token: string,
  signal: AbortSignal,
  { onOpen, onTopic }: StreamHandlers,
): Promise<number | null> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(EVENTS_PATH, { headers, cache: 'no-store', signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.status === 401) leaveRefusedSession(token, 'TOKEN_EXPIRED');
  if (response.status === 404 || (response.ok && !isStream)) return null;
  // The header may be a date, which is not a number.
  if (!response.ok || response.body === null)
    return seconds(Number(response.headers.get('retry-after')) || 0);
  isOpen = true;
  onOpen();
  await readTopics(response.body, onTopic);
  return 0;
}

/** Skips topics of a newer server: polling covers their data. */
export async function readTopics(
  body: ReadableStream<BufferSource>,
  onTopic: (topic: Topic) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = line.startsWith('data: ') ? liveEvent.safeParse(JSON.parse(line.slice(6))) : null;
      if (event?.success === true) onTopic(event.data.topic);
    }
  }
}
