import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SimRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string;
  /** Query and form in one map: the platform accepts parameters from each. */
  params: Map<string, string>;
  /** Aborted when the client disconnects before the response. */
  gone: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** 'cut': close the connection without a response. */
export type SimAnswer = HttpAnswer | 'cut';

export type Handle = (request: SimRequest) => Promise<SimAnswer>;

export interface SimServer {
  url: string;
  /** Answers like the server at the URL, without a connection. */
  handle: Handle;
  close(): Promise<void>;
}

/**
 * Backlog of connections to accept. Node's default of 511 is too small for several processes. The kernel
 * silently drops the excess, and requests on dropped connections are delayed by half a minute.
 */
const BACKLOG = 4096;

/** A plain HTTP server that buffers whole requests and responses. */
export async function listen(options: { port: number; host: string }, handle: Handle): Promise<SimServer> {
  const server = createServer((incoming, response) => {
    void answer(incoming, response, handle);
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options, backlog: BACKLOG }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    handle,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(incoming: IncomingMessage, response: ServerResponse, handle: Handle): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const given = await handle(await readRequest(incoming, gone.signal));
    if (given === 'cut') incoming.socket.destroy();
    else response.writeHead(given.status, given.headers).end(given.body);
  } catch (error) {
    if (gone.signal.aborted) return;
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

async function readRequest(incoming: IncomingMessage, gone: AbortSignal): Promise<SimRequest> {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return requestOf({
    method: incoming.method ?? 'GET',
    url: new URL(`http://simulator${incoming.url ?? '/'}`),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: await text(incoming),
    gone,
  });
}

/** @param given.headers by lower-case name */
export function requestOf(given: {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
  gone: AbortSignal;
}): SimRequest {
  const { method, url, headers, body, gone } = given;
  const form = headers['content-type']?.startsWith('application/json')
    ? textsOf(parseJson(body))
    : new URLSearchParams(body);
  const params = new Map([...url.searchParams, ...form]);
  return { method, path: url.pathname, query: url.searchParams, headers, body, params, gone };
}

/** A JSON body as a form: what is no text stays JSON. */
function textsOf(body: unknown): [string, string][] {
  return Object.entries(body ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function html(status: number, body: string): HttpAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function redirect(location: string): HttpAnswer {
  return { status: 302, headers: { location }, body: '' };
}

/** A transport fault: half of the body, with a content-length that fits. */
export function cutShort(answer: HttpAnswer): HttpAnswer {
  return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
}
