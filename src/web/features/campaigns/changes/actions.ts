import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { isDelivered, isOver } from '../campaign-view.ts';

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
  account: Pick<AdAccount, 'id' | 'name' | 'notProtected'>;
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

/** The active campaigns to turn SmartPause on for. Skipped: the user cannot pause campaigns in these ad accounts. */
export function choiceOfAll(read: readonly Target[]): { targets: Target[]; skipped: Target[] } {
  const wanted = read.filter(({ campaign }) => isDelivered(campaign) && changes(campaign, 'on'));
  const isRefused = ({ account: { notProtected } }: Target) =>
    notProtected === 'role' || notProtected === 'no_access';
  return { targets: wanted.filter((one) => !isRefused(one)), skipped: wanted.filter(isRefused) };
}

/** Only SmartPause prevents the manual action. */
export function isLocked(campaign: Campaign, action: Action): boolean {
  return (
    isManual(action) &&
    changes({ ...campaign, smartPauseSetting: 'OFF' }, action) &&
    !changes(campaign, action)
  );
}
