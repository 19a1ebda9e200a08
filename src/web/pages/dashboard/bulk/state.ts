import { useSyncExternalStore } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { sharedValue } from '../../../hooks/shared-value.ts';
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

const current = sharedValue<BulkRun | null>(null);

/** For the run itself; pages only look. */
export const showBulkRun = current.become;
export const readBulkRun = current.read;

/** It goes on whatever page is looked at, so it is kept outside of all of them. */
export function useBulkRun(): BulkRun | null {
  return useSyncExternalStore(current.subscribe, readBulkRun);
}

export function useHasBulkRun(): boolean {
  return useSyncExternalStore(current.subscribe, () => readBulkRun() !== null);
}

export function dismissBulk(): void {
  if (readBulkRun()?.state === 'ended') showBulkRun(null);
}
