import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../scripts/outside/wait-for.ts';
import { CHANGES_PATH, change } from '../src/contract/changes.ts';
import type { Change } from '../src/contract/changes.ts';

/** The stream of changes of one open page, and all that came after its first, which is to read everything. */
export interface PageStream {
  answer: Response;
  changes: Change[];
  comments: number;
  isOpen: boolean;
  /** Also when the server ended it. */
  ended: Promise<void>;
  hears: (what: Change['what'], adAccountId?: string) => Promise<Change>;
  close: () => void;
}

export async function openStream(page: { baseUrl: string; token: string }): Promise<PageStream> {
  const leaving = new AbortController();
  const answer = await fetch(page.baseUrl + CHANGES_PATH, {
    headers: { authorization: `Bearer ${page.token}` },
    signal: leaving.signal,
  });
  if (answer.status !== 200) throw new Error(`the stream was answered with ${answer.status}`);
  const stream: PageStream = {
    answer,
    changes: [],
    comments: 0,
    isOpen: true,
    ended: Promise.resolve(),
    hears: async (what, adAccountId) => {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const found = stream.changes.find(
          (one) => one.what === what && (adAccountId === undefined || one.adAccountId === adAccountId),
        );
        if (found !== undefined) return found;
        if (performance.now() > deadline)
          throw new Error(`never heard of ${what}, only: ${JSON.stringify(stream.changes)}`);
        await sleep(5);
      }
    },
    close: () => leaving.abort(),
  };
  stream.ended = read(answer, stream).finally(() => {
    stream.isOpen = false;
  });
  await stream.hears('everything');
  stream.changes.length = 0;
  return stream;
}

async function read({ body }: Response, stream: PageStream): Promise<void> {
  let rest = '';
  try {
    const decoder = new TextDecoder();
    for await (const bytes of body as ReadableStream<Uint8Array>) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) stream.comments += 1;
        if (block.startsWith('data: ')) stream.changes.push(change.parse(JSON.parse(block.slice(6))));
      }
    }
  } catch {
    // Closed by us, or broken off.
  }
}
