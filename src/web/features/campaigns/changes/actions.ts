import type { Campaign } from '#contract/shapes.ts';
import { isOver } from '../campaign-view.ts';

/** SmartPause on or off, or a manual action. */
export const ACTIONS = ['on', 'off', 'pause', 'resume'] as const;
export type Action = (typeof ACTIONS)[number];

/** What the user may do: nothing before the setup. */
export const ALLOWED = {
  none: [],
  withoutSubscription: ['off', 'resume'],
  all: ACTIONS,
} satisfies Record<string, readonly Action[]>;

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
  return (
    isManual(action) &&
    changes({ ...campaign, smartPauseSetting: 'OFF' }, action) &&
    !changes(campaign, action)
  );
}
