import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A page as it is sent, in every encoding that a browser may ask for. */
export interface PreparedDocument {
  plain: string;
  gzip: Buffer;
  br: Buffer;
  /** What the content security policy calls the scripts that stand in it. */
  scripts: string[];
}

/** Where the built documents have our own address in them, it stands by this name. */
const PUBLIC_URL = '"PUBLIC_URL/';

/** Puts in what only the running server knows. */
export function prepareDocument(
  html: string,
  { practice, publicUrl }: { practice: readonly string[]; publicUrl: string },
): PreparedDocument {
  const plain = withPractice(html, practice).replaceAll(PUBLIC_URL, `"${escapeAttribute(publicUrl)}/`);
  return { plain, gzip: gzipSync(plain), br: brotliCompressSync(plain), scripts: scriptsIn(plain) };
}

export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PreparedDocument,
): FastifyReply {
  const accepted = acceptedEncodings(request);
  const policy = reply.getHeader(POLICY);
  if (typeof policy === 'string') reply.header(POLICY, `${policy};script-src ${document.scripts.join(' ')}`);
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.has(name));
  reply
    .header('cache-control', 'no-store')
    .header('vary', 'accept-encoding')
    .type('text/html; charset=utf-8');
  if (encoding === undefined) return reply.send(document.plain);
  return reply.header('content-encoding', encoding).send(document[encoding]);
}

/** What the browser can unpack; 'gzip;q=0' is how it says that it does not want that. */
export function acceptedEncodings({ headers }: FastifyRequest): Set<string> {
  const entries = (headers['accept-encoding'] ?? '')
    .split(',')
    .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
    .map((entry) => entry.replace(/;.*/, '').trim());
  return new Set(entries);
}

const POLICY = 'content-security-policy';

/** Our own files, and what stands in the document word for word. */
function scriptsIn(html: string): string[] {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)];
  const hashes = inline.map(([, code = '']) => createHash('sha256').update(code).digest('base64'));
  return ["'self'", ...hashes.map((hash) => `'sha256-${hash}'`)];
}

function withPractice(html: string, practice: readonly string[]): string {
  if (practice.length === 0) return html;
  const content = escapeAttribute(practice.join(','));
  return html.replace('</head>', () => `<meta name="smartpause-practice" content="${content}" /></head>`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
