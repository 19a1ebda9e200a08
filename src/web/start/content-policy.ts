// What the libraries must know of the content security policy before the first of them runs; in which order the
// bundler's pieces run nobody says, so they are told by global names before any piece is asked for.

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

/** With what the server allows the style elements of this very page. */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('[nonce]')?.nonce ?? '';
}

Object.assign(globalThis, {
  // It forbids code made from strings; zod would try it and leave an error in the console.
  __zod_globalConfig: { jitless: true },
  // Dialogs keep the page behind them from scrolling by a style element.
  __webpack_nonce__: styleNonce(),
});

// Nothing makes elements from text. Mantine writes its style sheets as if it did; what could be an element is refused.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
});
