/** What the product's process and the fuzzer say to each other. */

/** One row changed by one request, as the database itself noted it. */
export interface Change {
  table: string;
  operation: string;
  /** Which columns now differ, with commas between them. */
  columns: string;
  /** The Meta user id of the person whose row it is; null: it is nobody's, or they are gone. */
  owner: string | null;
}

/** A request that reached the product and is over. */
export interface Verdict {
  kind: 'over';
  label: string;
  /** Null: the other side went away before it was answered. */
  status: number | null;
  changes: Change[];
  /** What the product asked of others on behalf of it, other than to read. */
  acts: string[];
}

export interface Sweep {
  kind: 'sweep';
  findings: string[];
  heapBytes: number;
  requests: number;
  logLines: number;
}

export type FromProduct = { kind: 'ready' } | Verdict | Sweep;
export type ToProduct = { kind: 'sweep' } | { kind: 'stop' } | { kind: 'secret'; value: string };

/** By this header a request says which one it is. */
export const LABEL_HEADER = 'x-fuzz';

/** A refusal is a status, or a login that ends with an error in the address. */
export function isRefused(status: number, location: string | undefined): boolean {
  return status >= 400 || (status >= 300 && /[?&]error=(?!TOKEN_STALE)/.test(location ?? ''));
}
