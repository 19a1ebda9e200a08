import { AsyncLocalStorage } from 'node:async_hooks';
import { traceId } from './spans.ts';

/** On whose behalf something is done. */
export interface Behalf {
  request: string;
  /** Whose session it came with, once that is known. */
  person: string | null;
}

const current = new AsyncLocalStorage<Behalf>();

/** Whatever is logged in it, by whatever part, says on whose behalf. */
export function onBehalfOf(behalf: Behalf, run: () => void): void {
  current.run(behalf, run);
}

/** For a line of the log. */
export function behalfForLog(): Record<string, string> {
  const behalf = current.getStore();
  const trace = traceId();
  return {
    ...(behalf !== undefined && { request: behalf.request }),
    ...(behalf?.person != null && { person: behalf.person }),
    ...(trace !== null && { trace }),
  };
}
