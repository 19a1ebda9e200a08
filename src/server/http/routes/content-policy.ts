import { randomBytes } from 'node:crypto';

/**
 * Policy of everything that is not a page: no scripts, no frames, no resources.
 * Opened as a page, such a response has an opaque origin.
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

/** Policy of the public status page: one style element with this hash, the font and the icon. */
export function policyOfStatusPage(styleHash: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

/**
 * Policy of a page: our own scripts and styles, the inline scripts with these hashes, style elements with the nonce of the response, and requests
 * to our own origin. The prerendered page has style attributes; they cannot run scripts.
 */
export function policyOfPage(nonce: string, scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'sha256-${hash}'`)].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Our scripts send forms, never the browser itself.
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join(';');
}
