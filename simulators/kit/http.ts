import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SimRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string;
  /** Query, form and JSON fields in one: the platform takes its parameters from anywhere. */
  params: Map<string, string>;
}

export type SimAnswer =
  | { status: number; headers?: Record<string, string>; body: string }
  /** The connection is cut instead of an answer. */
  | 'cut';

export interface SimServer {
  url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** A plain HTTP server: whole bodies in, whole answers out. */
export async function listen(
  options: { port: number; host: string },
  handle: (request: SimRequest) => Promise<SimAnswer>,
): Promise<SimServer> {
  const server = createServer((incoming, response) => {
    void answer(incoming, response, handle);
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: (request: SimRequest) => Promise<SimAnswer>,
): Promise<void> {
  try {
    const request = await readRequest(incoming);
    const given = await handle(request);
    if (given === 'cut') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(given.status, given.headers).end(request.method === 'HEAD' ? '' : given.body);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

async function readRequest(incoming: IncomingMessage): Promise<SimRequest> {
  const url = new URL(incoming.url ?? '/', 'http://simulator');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? '')]),
  );
  const body = Buffer.concat(chunks).toString('utf8');
  const params = new Map([...url.searchParams, ...bodyParams(headers['content-type'] ?? '', body)]);
  const method = incoming.method ?? 'GET';
  return { method, path: url.pathname, query: url.searchParams, headers, body, params };
}

/** JSON fields that are no text keep their JSON form, as the platform's own parameters have it. */
export function bodyParams(contentType: string, body: string): [string, string][] {
  if (body === '') return [];
  if (!contentType.includes('json')) return [...new URLSearchParams(body)];
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): SimAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function html(status: number, body: string): SimAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function redirect(location: string): SimAnswer {
  return { status: 302, headers: { location }, body: '' };
}
