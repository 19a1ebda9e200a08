import { OWN_SERVER_META } from '#contract/arrival.ts';

/** Whether our own server sent this document. Our server has calls and checks beyond the specification. */
export function isOwnServer(): boolean {
  return document.querySelector(`meta[name="${OWN_SERVER_META}"]`) !== null;
}
