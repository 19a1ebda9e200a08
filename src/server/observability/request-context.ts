import { AsyncLocalStorage } from 'node:async_hooks';
import { traceId } from './spans.ts';

/** Identifies the request, and its user, that some work belongs to. */
export interface RequestContext {
  request: string;
  /** Set after the session is authenticated. */
  user: string | null;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Every log line within `run` has the fields of the context. */
export function runInContext(context: RequestContext, run: () => void): void {
  current.run(context, run);
}

export function contextForLog(): Record<string, string> {
  const context = current.getStore();
  const trace = traceId();
  return {
    ...(context !== undefined && { request: context.request }),
    ...(context?.user != null && { user: context.user }),
    ...(trace !== null && { trace }),
  };
}
