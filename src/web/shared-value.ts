export interface SharedValue<T> {
  read: () => T;
  become: (next: T) => void;
  /** For React's useSyncExternalStore. */
  subscribe: (listener: () => void) => () => void;
}

/** A value that is kept outside of all pages, which hear of it when it is another. */
export function sharedValue<T>(first: T): SharedValue<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    become: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
