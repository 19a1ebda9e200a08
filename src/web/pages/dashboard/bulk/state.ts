import { useSyncExternalStore } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { sharedValue } from '../../../hooks/shared-value.ts';
import type { ResumeFailures } from '../resume-now/turn-off-and-resume.ts';
import type { BulkAction } from './actions.ts';
import type { Failure } from './run.ts';

/** One bulk change, from its confirmation until the user dismisses its result. */
export interface BulkRun extends ResumeFailures {
  account: AdAccount;
  action: BulkAction;
  /** It undoes a manual action, and cannot be undone itself. */
  isUndo: boolean;
  targets: readonly Campaign[];
  /** The ids of those that are resumed once SmartPause is off. */
  resume: ReadonlySet<string>;
  /** Confirmed, but already in the target state at the start. */
  already: number;
  state: 'running' | 'stopping' | 'ended';
  /** How many were changed; at the end also which. */
  done: number;
  changed: readonly Campaign[];
  failed: readonly Failure<Campaign>[];
  /** Failed, or not tried. */
  left: readonly Campaign[];
  /** Why the rest was not tried. */
  obstacle: string | null;
}

const current = sharedValue<BulkRun | null>(null);

/** For the bulk change itself; pages only read. */
export const showBulkRun = current.become;
export const readBulkRun = current.read;

/** The change continues across pages, so its state is outside React. */
export function useBulkRun(): BulkRun | null {
  return useSyncExternalStore(current.subscribe, readBulkRun);
}

export function useHasBulkRun(): boolean {
  return useSyncExternalStore(current.subscribe, () => readBulkRun() !== null);
}

export function dismissBulk(): void {
  if (readBulkRun()?.state === 'ended') showBulkRun(null);
}
