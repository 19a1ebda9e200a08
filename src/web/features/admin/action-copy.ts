import type { AdminAction, AdminStats, AdminStatus } from '#contract/admin-overview.ts';
import { GRANT_YEARS } from '#core/billing/subscription.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';

/** The overrides, mildest first. */
export const FORCE_ACTIONS = ['force-up', 'force-low', 'force-medium', 'force-high'] as const;
type ForceAction = (typeof FORCE_ACTIONS)[number];

interface Force {
  directive: NonNullable<AdminStatus['adminDirective']>;
  level: KnownLevel;
  label: string;
}

export const FORCES: Record<ForceAction, Force> = {
  'force-up': { directive: 'FORCE_UP', level: 'UP', label: 'Force Up' },
  'force-low': { directive: 'FORCE_LOW', level: 'LOW_DISRUPTION', label: 'Force Low' },
  'force-medium': { directive: 'FORCE_MEDIUM', level: 'MEDIUM_DISRUPTION', label: 'Force Medium' },
  'force-high': { directive: 'FORCE_HIGH', level: 'HIGH_DISRUPTION', label: 'Force High' },
};

export interface ActionCopy {
  label: string;
  question: string;
  /** The effect and the affected users. */
  consequence: string;
  done: string;
}

/** @param stats undefined: not loaded, so the text has no number */
export function actionCopy(action: AdminAction, stats: AdminStats | undefined): ActionCopy {
  const among =
    stats === undefined ? '' : ` (SmartPause is on for ${counted(stats.smartPauseCampaigns, 'campaign')})`;
  switch (action) {
    case 'clear':
      return {
        label: 'Clear',
        question: 'Clear the override?',
        consequence: `Meta’s reported status applies to all users again. SmartPause pauses or resumes accordingly${among}.`,
        done: 'The override is cleared. Meta’s reported status applies again.',
      };
    case 'grant-subscription':
      return {
        label: `Grant ${GRANT_YEARS}-year subscription`,
        question: `Grant yourself a ${GRANT_YEARS}-year subscription?`,
        consequence: `Your account gets a free yearly subscription for ${GRANT_YEARS} years.`,
        done: `You now have a ${GRANT_YEARS}-year subscription.`,
      };
    case 'clear-stripe-data':
      return {
        label: 'Clear subscription data',
        question: 'Clear your subscription data?',
        consequence:
          'Your subscription ends immediately, and your Stripe customer is deleted. This can’t be undone. Campaigns paused by SmartPause are still resumed.',
        done: 'Your subscription data is cleared.',
      };
    case 'force-up':
    case 'force-low':
    case 'force-medium':
    case 'force-high':
      return forceCopy(action, among);
  }
}

function forceCopy(action: ForceAction, among: string): ActionCopy {
  const { label, level } = FORCES[action];
  const word = LEVEL_WORDS[level];
  const effect =
    level === 'UP'
      ? 'SmartPause pauses nothing and resumes all campaigns it paused'
      : 'SmartPause pauses the campaigns of users whose threshold this meets and resumes those of all others';
  return {
    label,
    question: `Force the status to ${word}?`,
    consequence: `Applies to all users, whatever Meta reports. ${effect}${among}.`,
    done: `The status is ${word} for all users until you clear the override.`,
  };
}

export function directiveCopy(directive: AdminStatus['adminDirective']): string {
  return Object.values(FORCES).find((force) => force.directive === directive)?.label ?? 'None';
}
