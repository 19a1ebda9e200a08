import { useSyncExternalStore } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import type { Failure } from './run.ts';

/** One bulk change, from its confirmation until the person has taken note of its end. */
export interface BulkRun {
  account: AdAccount;
  enabled: boolean;
  targets: readonly Campaign[];
  /** Confirmed too, but so already when it began. */
  already: number;
  state: 'running' | 'stopping' | 'ended';
  done: number;
  failed: readonly Failure<Campaign>[];
  /** Failed, or not tried. */
  left: readonly Campaign[];
  /** Why the rest was not tried. */
  obstacle: string | null;
}

let current: BulkRun | null = null;
const listeners = new Set<() => void>();

/** For the run itself; pages only look. */
export function showBulkRun(next: BulkRun | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function readBulkRun(): BulkRun | null {
  return current;
}

/** It goes on whatever page is looked at, so it is kept outside of all of them. */
export function useBulkRun(): BulkRun | null {
  return useSyncExternalStore(subscribe, () => current);
}

export function useHasBulkRun(): boolean {
  return useSyncExternalStore(subscribe, () => current !== null);
}

export function dismissBulk(): void {
  if (current?.state === 'ended') showBulkRun(null);
}
