import { AsyncLocalStorage } from 'node:async_hooks';

/** Identifies the request or manual change, and its user, that some work belongs to. */
export interface RequestContext {
  request: string;
  /** Set after the session is authenticated. */
  user: string | null;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Every log line within `run` has the fields of the context. */
export function runInContext<T>(context: RequestContext, run: () => T): T {
  return current.run(context, run);
}

export function contextForLog(): Record<string, string> {
  const context = current.getStore();
  return {
    ...(context !== undefined && { request: context.request }),
    ...(context?.user != null && { user: context.user }),
  };
}
