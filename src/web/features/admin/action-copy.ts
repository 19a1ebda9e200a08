import type { AdminAction, AdminStats, AdminStatus } from '#contract/admin-overview.ts';
import { GRANT_YEARS } from '#core/billing/subscription.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';

interface ActionCopy {
  label: string;
  question: string;
  /** The effect and the affected users. */
  consequence: string;
  done: string;
}

interface Override {
  action: AdminAction;
  directive: NonNullable<AdminStatus['adminDirective']>;
  level: KnownLevel;
  label: string;
}

/** Mildest first. */
export const OVERRIDES: readonly Override[] = [
  { action: 'force-up', directive: 'FORCE_UP', level: 'UP', label: 'Force Up' },
  { action: 'force-low', directive: 'FORCE_LOW', level: 'LOW_DISRUPTION', label: 'Force Low' },
  { action: 'force-medium', directive: 'FORCE_MEDIUM', level: 'MEDIUM_DISRUPTION', label: 'Force Medium' },
  { action: 'force-high', directive: 'FORCE_HIGH', level: 'HIGH_DISRUPTION', label: 'Force High' },
];

/** @param stats undefined: not loaded, so the text has no number */
export function actionCopy(action: AdminAction, stats?: AdminStats): ActionCopy {
  const on = stats && ` (SmartPause is on for ${counted(stats.smartPauseCampaigns, 'campaign')})`;
  const override = OVERRIDES.find((one) => one.action === action);
  if (override !== undefined) {
    const word = LEVEL_WORDS[override.level];
    const effect =
      override.level === 'UP'
        ? 'SmartPause pauses nothing and resumes all campaigns it paused'
        : 'SmartPause pauses the campaigns of users whose threshold this meets and resumes those of all others';
    return {
      label: override.label,
      question: `Force the status to ${word}?`,
      consequence: `Applies to all users, whatever Meta reports. ${effect}${on ?? ''}.`,
      done: `The status is ${word} for all users until you clear the override.`,
    };
  }
  if (action === 'grant-subscription') {
    return {
      label: `Grant ${GRANT_YEARS}-year subscription`,
      question: `Grant yourself a ${GRANT_YEARS}-year subscription?`,
      consequence: `Your account gets a free yearly subscription for ${GRANT_YEARS} years.`,
      done: `You now have a ${GRANT_YEARS}-year subscription.`,
    };
  }
  if (action === 'clear-stripe-data') {
    return {
      label: 'Clear subscription data',
      question: 'Clear your subscription data?',
      consequence:
        'Your subscription ends immediately, and your Stripe customer is deleted. This can’t be undone. Campaigns paused by SmartPause are still resumed.',
      done: 'Your subscription data is cleared.',
    };
  }
  return {
    label: 'Clear',
    question: 'Clear the override?',
    consequence: `Meta’s reported status applies to all users again. SmartPause pauses or resumes accordingly${on ?? ''}.`,
    done: 'The override is cleared. Meta’s reported status applies again.',
  };
}
