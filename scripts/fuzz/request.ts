import { LABEL_HEADER } from './messages.ts';

/** Somebody with a session of theirs, or what is said in place of one. */
export type Who =
  | { kind: 'session'; person: string; slot: number }
  | { kind: 'ended'; person: string }
  | { kind: 'header'; value: string }
  | { kind: 'nobody' };

/** One request before what only the running product knows is put in, which stands in it as '{{…}}'. */
export interface FuzzRequest {
  target: string;
  /** How it is meant: to be taken, with one thing broken, or to do harm. */
  intent: 'valid' | 'near' | 'hostile';
  who: Who;
  method: string;
  /** Of bytes, as one character each; so are the values of headers and the body. */
  path: string;
  headers: [name: string, value: string][];
  body: string | null;
  /** How the body's length is told. */
  framing: 'length' | 'chunked';
  /** Instead of all of this: the very bytes. The product must then end the connection by itself. */
  raw?: string;
}

/** The bytes of a request whose '{{…}}' are filled in already. */
export function toBytes(request: FuzzRequest, authorization: string | null, label: string): Buffer {
  if (request.raw !== undefined) return Buffer.from(request.raw.replaceAll('{{label}}', label), 'latin1');
  const { method, path, body, framing } = request;
  const head = [`${method} ${path} HTTP/1.1`, `${LABEL_HEADER}: ${label}`];
  if (!hasHeader(request, 'host')) head.push('host: {{host}}');
  if (authorization !== null) head.push(`authorization: ${authorization}`);
  for (const [name, value] of request.headers) head.push(`${name}: ${value}`);
  if (body !== null && framing === 'length') head.push(`content-length: ${body.length}`);
  if (body !== null && framing === 'chunked') head.push('transfer-encoding: chunked');
  const text = `${head.join('\r\n')}\r\n\r\n${body === null ? '' : framing === 'length' ? body : chunked(body)}`;
  return Buffer.from(text, 'latin1');
}

export function hasHeader({ headers }: FuzzRequest, name: string): boolean {
  return headers.some(([one]) => one.toLowerCase() === name);
}

function chunked(body: string): string {
  const pieces = body.match(/[^]{1,4000}/g) ?? [];
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
}

/** For people: what was sent, with the session by its person's name. */
export function describeRequest(request: FuzzRequest): string {
  const who =
    request.who.kind === 'session'
      ? `${request.who.person} (session ${request.who.slot})`
      : request.who.kind === 'ended'
        ? `${request.who.person} (a session that has ended)`
        : request.who.kind === 'header'
          ? `Authorization: ${request.who.value.slice(0, 100)}`
          : 'nobody';
  const { raw, method, path, headers, body, framing } = request;
  if (raw !== undefined) return `${request.target}, the bytes ${JSON.stringify(raw.slice(0, 2000))}`;
  return [
    `${request.target}, by ${who}: ${method} ${JSON.stringify(path.slice(0, 500))}`,
    ...headers.map(([name, value]) => `  ${name}: ${JSON.stringify(value.slice(0, 300))}`),
    ...(body === null
      ? []
      : [`  body (${body.length} bytes, ${framing}): ${JSON.stringify(body.slice(0, 1000))}`]),
  ].join('\n');
}
