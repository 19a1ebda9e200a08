import { expect, test } from 'vitest';
import { createEventParser, readEvents } from './read-events.ts';

function parsed(...texts: string[]): string[] {
  const heard: string[] = [];
  const parse = createEventParser({
    onData: (data) => void heard.push(data),
    onRetry: (ms) => void heard.push(`back within ${ms}`),
  });
  texts.forEach(parse);
  return heard;
}

test('events come whole, however they are cut on the way', () => {
  const stream =
    'retry: 2000\n\n:\n\ndata: {"a":1}\n\ndata:x\r\n\r\nevent: e\ndata: y\ndata: z\n\ndata: not yet\n';
  const whole = ['back within 2000', '{"a":1}', 'x', 'y\nz'];
  expect(parsed(stream)).toEqual(whole);
  expect(parsed(...stream.split(/(?=[^])/))).toEqual(whole);
  expect(parsed(stream, '\n')).toEqual([...whole, 'not yet']);
});

test('bytes are read to their end, and each of them is a sign of life', async () => {
  const heard: string[] = [];
  let signs = 0;
  const bytes = new TextEncoder().encode(':\n\ndata: “ü”\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  await readEvents(body, {
    onData: (data) => void heard.push(data),
    onRetry: () => undefined,
    onSign: () => (signs += 1),
  });
  expect([heard, signs]).toEqual([['“ü”'], bytes.length]);
});
