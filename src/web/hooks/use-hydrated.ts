import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether this is the browser, and its page may differ from what was prerendered for everybody. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
