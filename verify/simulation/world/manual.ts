import { AsyncLocalStorage } from 'node:async_hooks';

const acts = new AsyncLocalStorage<true>();

/** Marks every request made during `act` as a user's manual act, not the reconciler's. */
export function asManual<T>(act: () => T): T {
  return acts.run(true, act);
}

/** What a manual act only wakes is not part of it. */
export function notManual<T>(act: () => T): T {
  return acts.exit(act);
}

export function isManual(): boolean {
  return acts.getStore() === true;
}
