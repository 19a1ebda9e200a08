import type { Topic } from '#contract/live-updates.ts';
import { EVENTS_PATH, liveEvent } from '#contract/live-updates.ts';
import { seconds } from '#core/time.ts';
import { leaveRefusedSession, onTokenChange, readToken } from '../token.ts';

/** Spreads the reconnects after a server restart. */
const FIRST_RETRY_MS = seconds(2);
const MAX_RETRY_MS = seconds(30);

let isOpen = false;

/** Whether the stream is open, so that polling may be slower. */
export const isLive = (): boolean => isOpen;

export interface StreamHandlers {
  /** The stream is open; earlier changes did not arrive by it. */
  onOpen: () => void;
  onTopic: (topic: Topic) => void;
}

/** Keeps one event stream open while the page is visible and has a token. */
export function keepStream(handlers: StreamHandlers): void {
  let current: { token: string; controller: AbortController } | null = null;
  const update = (): void => {
    const token = document.visibilityState === 'visible' ? readToken() : null;
    if (token === (current?.token ?? null)) return;
    current?.controller.abort();
    current = null;
    isOpen = false;
    if (token === null) return;
    const controller = new AbortController();
    current = { token, controller };
    void reconnect(token, controller.signal, handlers);
  };
  document.addEventListener('visibilitychange', update);
  onTokenChange(update);
  update();
}

async function reconnect(token: string, signal: AbortSignal, handlers: StreamHandlers): Promise<void> {
  let failures = 0;
  for (;;) {
    const startedAt = performance.now();
    const waitMs = await readStream(token, signal, handlers).catch(() => 0);
    if (signal.aborted) return;
    isOpen = false;
    if (waitMs === null) return;
    failures = performance.now() - startedAt > MAX_RETRY_MS ? 0 : failures + 1;
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs + Math.random() * backoffMs));
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
  if (!response.ok || response.body === null) return seconds(Number(response.headers.get('retry-after')));
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
