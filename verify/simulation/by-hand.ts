import { AsyncLocalStorage } from 'node:async_hooks';

const acts = new AsyncLocalStorage<true>();

/** Whatever is asked of the world in the course of it was asked by a person, by hand, and not by the engine. */
export function byHand<T>(act: () => T): T {
  return acts.run(true, act);
}

/** What a person's act only wakes is nobody's act. */
export function notByHand<T>(act: () => T): T {
  return acts.exit(act);
}

export function isByHand(): boolean {
  return acts.getStore() === true;
}
