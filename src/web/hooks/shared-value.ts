export interface SharedValue<T> {
  read: () => T;
  become: (next: T) => void;
  /** For React's useSyncExternalStore. */
  subscribe: (listener: () => void) => () => void;
}

/**
 * A value outside React, with listeners for changes.
 * @param whileWatched starts what only listeners need; returns its cleanup
 */
export function sharedValue<T>(first: T, whileWatched?: () => () => void): SharedValue<T> {
  let value = first;
  let unwatch: (() => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    become: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) unwatch = whileWatched?.();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) unwatch?.();
      };
    },
  };
}
