import '../start/base-styles.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { readToken } from '../token.ts';
import { styleNonce } from '../start/content-policy.ts';
import { LandingDocument } from './landing-document.tsx';

/** Takes over the landing page that the server sent; a login in another tab, or on the way back to it, ends it. */
export function comeAlive(root: HTMLElement): void {
  const asItCame = [...root.childNodes].map((node) => node.cloneNode(true));
  // What breaks it must not take away what could be read.
  const onUncaughtError = () => queueMicrotask(() => root.replaceChildren(...asItCame));
  // As a transition it is done in short pieces, and whoever scrolls meanwhile is not held up.
  startTransition(() => {
    hydrateRoot(root, <LandingDocument styleNonce={styleNonce()} />, { onUncaughtError });
  });
  const leave = () => {
    if (readToken() !== null) window.location.reload();
  };
  window.addEventListener('storage', leave);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) leave();
  });
}
