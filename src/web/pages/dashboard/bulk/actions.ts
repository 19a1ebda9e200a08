import type { AllowedActions } from '../list/use-row-actions.ts';

/** What the bar does to the selected campaigns: SmartPause on or off, or a manual action. */
export const BULK_ACTIONS = ['on', 'off', 'pause', 'resume'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export function isManual(action: BulkAction): action is 'pause' | 'resume' {
  return action === 'pause' || action === 'resume';
}

/** Without a subscription SmartPause can be turned off and campaigns resumed, no more. */
export function isAllowed(allowed: AllowedActions, action: BulkAction): boolean {
  if (allowed === 'off_and_resume') return action === 'off' || action === 'resume';
  return allowed === 'all';
}

/** Null: the bar undoes only manual actions, as the rows do. */
export function oppositeOf(action: BulkAction): 'pause' | 'resume' | null {
  if (!isManual(action)) return null;
  return action === 'pause' ? 'resume' : 'pause';
}
