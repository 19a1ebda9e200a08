import { waitFor } from '../../scripts/programs/wait-for.ts';
import { EVENTS_PATH, liveEvent } from '../../src/contract/live-updates.ts';
import type { Topic } from '../../src/contract/live-updates.ts';

/** The event stream of one open page, with every event received. */
export interface PageStream {
  response: Response;
  topics: Topic[];
  /** All text as received. */
  text: string;
  isOpen: boolean;
  /** Resolves when either side has closed it. */
  ended: Promise<void>;
  /** Waits for an event of this topic and discards all received events. */
  hears: (topic: Topic) => Promise<void>;
  close: () => void;
}

export async function openStream(page: { baseUrl: string; token: string }): Promise<PageStream> {
  const controller = new AbortController();
  const response = await fetch(page.baseUrl + EVENTS_PATH, {
    headers: { authorization: `Bearer ${page.token}` },
    signal: controller.signal,
  });
  if (response.status !== 200) throw new Error(`the stream was answered with ${response.status}`);
  const stream: PageStream = {
    response,
    topics: [],
    text: '',
    isOpen: true,
    ended: Promise.resolve(),
    hears: async (topic) => {
      await waitFor(`an event for ${topic}`, () => stream.topics.includes(topic));
      // Later topics may have arrived with it.
      stream.topics.splice(0, stream.topics.indexOf(topic) + 1);
    },
    close: () => controller.abort(),
  };
  stream.ended = read(response, stream).finally(() => {
    stream.isOpen = false;
  });
  return stream;
}

async function read({ body }: Response, stream: PageStream): Promise<void> {
  let rest = '';
  try {
    const decoder = new TextDecoder();
    for await (const bytes of body as ReadableStream<Uint8Array>) {
      const text = decoder.decode(bytes, { stream: true });
      stream.text += text;
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block !== ':')
          stream.topics.push(liveEvent.parse(JSON.parse(block.replace(/^data: /, ''))).topic);
      }
    }
  } catch {
    // The stream was closed here, or it broke.
  }
}
