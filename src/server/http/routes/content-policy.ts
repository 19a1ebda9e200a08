import { randomBytes } from 'node:crypto';

/**
 * For everything that is no page: nothing in it is to be run, shown or loaded. An answer that is opened as if it were a
 * page is none, and has no origin.
 */
export const NOTHING = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join(';');

export function newNonce(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * What a page may do: run our own files, be styled by them and by the style elements that carry this answer's nonce, and
 * talk to us. Attributes of style are set by the prerendered page, and cannot run anything.
 */
export function policyOfPage(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Forms are sent by our scripts, never by the browser itself.
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join(';');
}
