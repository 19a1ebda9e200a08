import type { Campaign } from '#contract/shapes.ts';
import { isOver } from '../campaign-view.ts';

/** None before the setup. Without a subscription: turning SmartPause off, and resuming. */
export type AllowedActions = 'all' | 'off_and_resume' | 'none';

/** SmartPause on or off, or a manual action. */
export const ACTIONS = ['on', 'off', 'pause', 'resume'] as const;
export type Action = (typeof ACTIONS)[number];

export const OPPOSITE = { on: 'off', off: 'on', pause: 'resume', resume: 'pause' } as const;

export interface Target {
  account: { id: string; name: string };
  campaign: Campaign;
  /** Resume it once SmartPause is off. */
  resumes?: boolean;
}

export function isManual(action: Action): action is 'pause' | 'resume' {
  return action === 'pause' || action === 'resume';
}

export function isAllowed(allowed: AllowedActions, action: Action): boolean {
  return allowed === 'all' || (allowed === 'off_and_resume' && (action === 'off' || action === 'resume'));
}

/** SmartPause can always be turned off, also where it cannot be turned on again. */
export function changes(campaign: Campaign, action: Action): boolean {
  const isOn = campaign.smartPauseSetting === 'ON';
  if (action === 'off') return isOn;
  const isChangeable = !isOn && !isOver(campaign) && campaign.isLegacyAdvantage !== true;
  if (action === 'on') return isChangeable;
  return isChangeable && campaign.status === (action === 'pause' ? 'ACTIVE' : 'PAUSED');
}

/** Only SmartPause prevents the manual action. */
export function isLocked(campaign: Campaign, action: Action): boolean {
  const ifOff = { ...campaign, smartPauseSetting: 'OFF' } as const;
  return isManual(action) && !changes(campaign, action) && changes(ifOff, action);
}
