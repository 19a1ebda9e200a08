import { OWN_SERVER_META } from '#contract/arrival.ts';

/** Whether our own server sent this document: it has calls and checks that the specification does not know. */
export function isOwnServer(): boolean {
  return document.querySelector(`meta[name="${OWN_SERVER_META}"]`) !== null;
}
