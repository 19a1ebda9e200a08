import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OWN_SERVER_META } from '#contract/login-handoff.ts';
import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';
import { demoBanner } from '../demo-banner.ts';
import { newNonce, policyOfPage } from './content-policy.ts';

export interface PreparedDocument {
  /** A built page, split where the nonce of each response is inserted. */
  pieces: readonly string[];
  /** Of the inline scripts that the build wrote. */
  scriptHashes: readonly string[];
}

/** What `npm start` adds in demo mode. */
export interface Demo {
  /** Control pages of the stand-ins, as 'name=address'. */
  pages: readonly string[];
  /** HTML at the end of each page's head. */
  head?: string;
  addRoutes?: (http: FastifyInstance) => void;
}

/** Placeholder for the public URL in the built documents. */
const PUBLIC_URL = '"PUBLIC_URL/';
/** Placeholder for the nonce of the style elements. */
const NONCE = 'nonce="STYLE_NONCE"';

/** Inserts the values that only the running server knows. */
export function prepareDocument(
  html: string,
  { demo, company, publicUrl }: { demo: Demo | null; company: Company; publicUrl: string },
): PreparedDocument {
  const pieces = withDemo(withCompany(html, company), demo)
    .replace('</head>', `<meta name="${OWN_SERVER_META}" content="own" /></head>`)
    .replaceAll(PUBLIC_URL, `"${escapeAttribute(publicUrl)}/`)
    .split(NONCE);
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => code);
  return { pieces, scriptHashes: scripts.map((code) => createHash('sha256').update(code).digest('base64')) };
}

/**
 * A nonce is valid for one response, so the page is never cached and is compressed on the fly.
 * @param accepted encodings that the browser accepts
 */
export async function sendDocument(
  reply: FastifyReply,
  { pieces, scriptHashes }: PreparedDocument,
  accepted: ReadonlySet<string>,
): Promise<FastifyReply> {
  const nonce = newNonce();
  const text = pieces.join(`nonce="${nonce}"`);
  reply
    .header('content-security-policy', policyOfPage(nonce, scriptHashes))
    .header('vary', 'accept-encoding')
    .type('text/html; charset=utf-8');
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.has(name));
  if (encoding === undefined) return reply.send(text);
  return reply.header('content-encoding', encoding).send(await PACK[encoding](text));
}

/** Takes a few milliseconds, off the main thread, for nearly the smallest size. */
const PACK = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
};

/** 'gzip;q=0' means that the browser does not accept gzip. */
export function acceptedEncodings({ headers }: FastifyRequest): Set<string> {
  const entries = (headers['accept-encoding'] ?? '')
    .split(',')
    .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
    .map((entry) => entry.replace(/;.*/, '').trim());
  return new Set(entries);
}

function withDemo(html: string, demo: Demo | null): string {
  if (demo === null) return html;
  return html
    .replace('</head>', () => `${demo.head ?? ''}</head>`)
    .replace('<body>', () => `<body>${demoBanner(demo.pages)}`);
}

function withCompany(html: string, company: Company): string {
  const given = (['name', 'address', 'contact'] as const).flatMap((part) => {
    const content = company[part];
    return content === null
      ? []
      : [`<meta name="${COMPANY_META[part]}" content="${escapeAttribute(content)}" />`];
  });
  return html.replace('</head>', () => `${given.join('')}</head>`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
