import type { AdAccount, Campaign, CampaignAction, User } from '#contract/shapes.ts';
import { withClearNames } from '#core/clear-names.ts';
import { namesLabel } from '#core/labels.ts';
import { isDelivered, isOver } from '../campaigns/campaign-view.ts';

export type Action = CampaignAction;

/** The change of a campaign in progress. `one_of_many`: most of them are not sent yet, so the row shows no result. */
export type Pending = Action | 'one_of_many';

/** What the user may do: nothing before the setup. */
export const ALLOWED = {
  none: [],
  // Nothing is sent.
  suspended: ['on', 'off'],
  suspendedWithoutSubscription: ['off'],
  // Meta would refuse a resume.
  withoutAccess: ['on', 'off', 'pause', 'resume'],
  withoutSubscription: ['off', 'off_and_resume', 'resume', 'resume_now'],
  all: ['on', 'off', 'off_and_resume', 'pause', 'resume', 'resume_now'],
} satisfies Record<string, readonly Action[]>;

/** What the user may do on the page. */
export function allowedFor(
  { isInitialized, access }: Pick<User, 'isInitialized' | 'access'>,
  hasActiveSubscription: boolean,
  isSuspended = false,
): readonly Action[] {
  if (!isInitialized) return ALLOWED.none;
  if (isSuspended) return hasActiveSubscription ? ALLOWED.suspended : ALLOWED.suspendedWithoutSubscription;
  if (!hasActiveSubscription) return ALLOWED.withoutSubscription;
  return access === 'expired' ? ALLOWED.withoutAccess : ALLOWED.all;
}

export const OPPOSITE = { pause: 'resume', resume: 'pause', on: 'off', off: 'on' } as const;

export interface Target {
  account: Pick<AdAccount, 'id' | 'name' | 'notProtected'>;
  campaign: Campaign;
}

/** Of all ad accounts together. */
export function namesOf(targets: readonly Target[]): string {
  return namesLabel(withClearNames(targets.map(({ campaign }) => campaign)));
}

export function isManual(action: Pending): action is 'pause' | 'resume' {
  return action === 'pause' || action === 'resume';
}

/** The user may only read the ad account, so SmartPause could not pause there. */
function isReadOnly({ notProtected }: Target['account']): boolean {
  return notProtected === 'role' || notProtected === 'no_access';
}

/** For many campaigns at once. SmartPause can always be turned off, also where it cannot be turned on again. */
export function canTurn({ account, campaign }: Target, to: 'on' | 'off'): boolean {
  if (to === 'off') return campaign.smartPauseSetting === 'ON';
  return isWithout(campaign) && !isReadOnly(account);
}

/** SmartPause is off for a campaign that it could pause. */
function isWithout(campaign: Campaign): boolean {
  return campaign.smartPauseSetting !== 'ON' && !isOver(campaign) && campaign.isLegacyAdvantage !== true;
}

/** The campaigns to turn SmartPause on for. Skipped: the user cannot pause campaigns in these ad accounts. */
export function choiceOf(read: readonly Target[]): { targets: Target[]; skipped: Target[] } {
  const { on = [], skipped = [] } = Object.groupBy(
    read.filter(({ campaign }) => isWithout(campaign)),
    ({ account }) => (isReadOnly(account) ? 'skipped' : 'on'),
  );
  return { targets: on, skipped };
}

/** Of the active campaigns. */
export const choiceOfAll = (read: readonly Target[]) =>
  choiceOf(read.filter(({ campaign }) => isDelivered(campaign)));
