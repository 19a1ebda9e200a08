import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OWN_SERVER_META } from '#contract/arrival.ts';
import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';
import type { PracticePage } from '#contract/practice.ts';
import { PRACTICE_PLACES, practicePage, practiceWords } from '#contract/practice.ts';
import { newNonce, policyOfPage } from './content-policy.ts';

/** A page as the build has left it, cut where each answer's own nonce goes in. */
export type PreparedDocument = readonly string[];

/** Where the built documents have our own address in them, it stands by this name. */
const PUBLIC_URL = '"PUBLIC_URL/';
/** The same for what allows their style elements. */
const NONCE = 'nonce="STYLE_NONCE"';

/** Puts in what only the running server knows. */
export function prepareDocument(
  html: string,
  { practice, company, publicUrl }: { practice: readonly string[]; company: Company; publicUrl: string },
): PreparedDocument {
  return withPractice(withCompany(html, company), practice)
    .replace('</head>', `<meta name="${OWN_SERVER_META}" content="own" /></head>`)
    .replaceAll(PUBLIC_URL, `"${escapeAttribute(publicUrl)}/`)
    .split(NONCE);
}

/** What the build has put before all else, to run before anything is painted. */
const BEFORE_PAINT = '<script src="/assets/before-paint';

/** The same page for a browser of which we know that it has nothing to say about how the page is to be painted. */
export function withoutWaiting(document: PreparedDocument): PreparedDocument {
  return document.map((piece) => piece.replace(BEFORE_PAINT, BEFORE_PAINT.replace(' src', ' defer src')));
}

/**
 * A nonce is good for one answer, so the page is never kept by anybody, and is packed as it goes.
 * @param accepted how it may be packed
 */
export async function sendDocument(
  reply: FastifyReply,
  document: PreparedDocument,
  accepted: ReadonlySet<string>,
): Promise<FastifyReply> {
  const nonce = newNonce();
  const text = document.join(`nonce="${nonce}"`);
  reply
    .header('content-security-policy', policyOfPage(nonce))
    .header('vary', 'accept-encoding')
    .type('text/html; charset=utf-8');
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.has(name));
  if (encoding === undefined) return reply.send(text);
  return reply.header('content-encoding', encoding).send(await PACK[encoding](text));
}

/** In a few milliseconds, beside the work of everybody else, at hardly more than the smallest size. */
const PACK = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
};

/** What the browser can unpack; 'gzip;q=0' is how it says that it does not want that. */
export function acceptedEncodings({ headers }: FastifyRequest): Set<string> {
  const entries = (headers['accept-encoding'] ?? '')
    .split(',')
    .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
    .map((entry) => entry.replace(/;.*/, '').trim());
  return new Set(entries);
}

/** The banner that the build has left in the landing page, hidden, and each control page's link in it. */
const BANNER = /<aside [^>]*aria-label="Practice mode".*?<\/aside>/s;
const LINK = /<a [^>]*"PRACTICE_ADDRESS".*?<\/a>/s;

/** The landing page has the banner in it before any script; the app draws it from what the meta element says. */
function withPractice(html: string, practice: readonly string[]): string {
  const pages = practice.flatMap((entry) => practicePage(entry) ?? []);
  if (pages.length === 0) return html.replace(BANNER, '');
  const content = escapeAttribute(practice.join(','));
  const words = practiceWords(pages.map(({ name }) => name));
  return html
    .replace('</head>', () => `<meta name="smartpause-practice" content="${content}" /></head>`)
    .replace(BANNER, (banner) => banner.replace(' hidden=""', ''))
    .replace(PRACTICE_PLACES.words, () => escapeAttribute(words))
    .replace(LINK, (link) => pages.map((page) => filledIn(link, page)).join(''));
}

/** The legal pages name the company. */
function withCompany(html: string, company: Company): string {
  const given = (['name', 'address', 'contact'] as const).flatMap((part) => {
    const content = company[part];
    return content === null
      ? []
      : [`<meta name="${COMPANY_META[part]}" content="${escapeAttribute(content)}" />`];
  });
  return html.replace('</head>', () => `${given.join('')}</head>`);
}

function filledIn(link: string, { name, address }: PracticePage): string {
  return link
    .replace(PRACTICE_PLACES.page.address, () => escapeAttribute(address))
    .replace(PRACTICE_PLACES.page.name, () => escapeAttribute(name));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
