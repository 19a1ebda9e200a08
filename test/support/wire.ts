import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Answer {
  status: number;
  /** Lower case names; repeated names are joined by a line break. */
  headers: Map<string, string>;
  body: Buffer;
}

/** The response to the bytes that were sent. */
export interface Exchange {
  answers: Answer[];
  /** All received bytes, unchanged. */
  received: Buffer;
  /** Neither answered nor closed within the time. */
  hung: boolean;
  ms: number;
}

/** Longer than the product itself waits: 12 s for its database, on a busy machine. */
const HANG_MS = 20_000;

/**
 * Sends raw bytes on a new connection and reads until it ends.
 * @param until 'answered': returns after a complete response
 * or an endless one. 'ended': the peer must close it.
 * @param hangMs the deadline for that
 */
export function exchange(
  port: number,
  bytes: Buffer,
  how: { until: 'answered' | 'ended'; method: string; hangMs?: number | undefined },
): Promise<Exchange> {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    let over = false;
    const finish = (hung: boolean): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      socket.destroy();
      const received = Buffer.concat(chunks);
      resolve({
        answers: readAnswers(received, how.method),
        received,
        hung,
        ms: performance.now() - startedAt,
      });
    };
    const timer = setTimeout(() => finish(true), how.hangMs ?? HANG_MS);
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('end', () => finish(false));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (how.until === 'ended') return;
      const received = Buffer.concat(chunks);
      if (readAnswers(received, how.method).some(({ status }) => status >= 200)) finish(false);
    });
    socket.write(bytes);
    if (how.until === 'ended') socket.end();
  });
}

/** All complete responses at the beginning of the received bytes. */
export function readAnswers(received: Buffer, method: string): Answer[] {
  const answers: Answer[] = [];
  let at = 0;
  for (;;) {
    const next = readAnswer(received, at, method);
    if (next === null) return answers;
    answers.push(next.answer);
    at = next.end;
  }
}

function readAnswer(all: Buffer, from: number, method: string): { answer: Answer; end: number } | null {
  const headEnd = all.indexOf('\r\n\r\n', from, 'latin1');
  if (headEnd === -1) return null;
  const [first = '', ...lines] = all.toString('latin1', from, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known === undefined ? value : `${known}\n${value}`);
  }
  const start = headEnd + 4;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const isEmpty = isStream || method === 'HEAD' || status === 204 || status === 304 || status < 200;
  const payload = isEmpty ? { body: Buffer.alloc(0), end: start } : readBody(all, start, headers);
  if (payload === null) return null;
  return { answer: { status, headers, body: unpacked(payload.body, headers) }, end: payload.end };
}

function readBody(
  all: Buffer,
  start: number,
  headers: Map<string, string>,
): { body: Buffer; end: number } | null {
  const length = headers.get('content-length');
  if (length !== undefined) {
    const end = start + Number(length);
    return all.length < end ? null : { body: all.subarray(start, end), end };
  }
  if (headers.get('transfer-encoding') !== 'chunked') return { body: all.subarray(start), end: all.length };
  const parts: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = all.indexOf('\r\n', at, 'latin1');
    if (lineEnd === -1) return null;
    const size = Number.parseInt(all.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (Number.isNaN(size) || all.length < end) return null;
    if (size === 0) return { body: Buffer.concat(parts), end };
    parts.push(all.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}

function unpacked(body: Buffer, headers: Map<string, string>): Buffer {
  if (body.length === 0) return body;
  const encoding = headers.get('content-encoding');
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'br' ? brotliDecompressSync(body) : body;
}
