export interface EventHandlers {
  onData: (data: string) => void;
  /** Within which time to come back, should this end. */
  onRetry: (ms: number) => void;
}

/** The data of each event as its lines come in; comments keep the stream open and say nothing. */
export function createEventParser({ onData, onRetry }: EventHandlers): (text: string) => void {
  let rest = '';
  let data: string[] = [];
  return (text) => {
    // A line may end with CR LF, of which the second can come later.
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((one) => one.replace(/\r$/, ''))) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      if (/^retry: ?\d+$/.test(line)) onRetry(Number(line.slice(6)));
      if (line !== '' || data.length === 0) continue;
      onData(data.join('\n'));
      data = [];
    }
  };
}

/** Reads an answer to its end. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { onSign, ...handlers }: EventHandlers & { onSign: () => void },
): Promise<void> {
  const parse = createEventParser(handlers);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    parse(decoder.decode(value, { stream: true }));
  }
}
