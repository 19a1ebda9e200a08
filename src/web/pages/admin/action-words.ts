import type { AdminAction, AdminStats, AdminStatus } from '#contract/admin-overview.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import { LEVEL_WORDS, counted } from '#core/words.ts';

type ForceAction = Extract<AdminAction, `force-${string}`>;

/** The overrides, from the mildest. */
export const FORCES: readonly { action: ForceAction; level: KnownLevel; label: string }[] = [
  { action: 'force-up', level: 'UP', label: 'Force Up' },
  { action: 'force-low', level: 'LOW_DISRUPTION', label: 'Force Low' },
  { action: 'force-medium', level: 'MEDIUM_DISRUPTION', label: 'Force Medium' },
  { action: 'force-high', level: 'HIGH_DISRUPTION', label: 'Force High' },
];

export interface ActionWords {
  /** As its button calls it. */
  label: string;
  question: string;
  /** What it does to whom. */
  consequence: string;
  done: string;
}

/** @param stats undefined: not known yet, so that no number is said */
export function actionWords(action: AdminAction, stats: AdminStats | undefined): ActionWords {
  switch (action) {
    case 'clear':
      return {
        label: 'Clear',
        question: 'Clear the override?',
        consequence: `The status that Meta reports counts again, for everybody: SmartPause pauses or resumes accordingly${among(stats)}.`,
        done: 'The override is cleared. Meta’s own status counts again.',
      };
    case 'grant-subscription':
      return {
        label: 'Grant 10-year subscription',
        question: 'Grant yourself a 10-year subscription?',
        consequence: 'Your own account gets an active yearly subscription for ten years. Nobody is charged.',
        done: 'You have a subscription for ten years.',
      };
    case 'clear-stripe-data':
      return {
        label: 'Clear subscription data',
        question: 'Clear your subscription data?',
        consequence:
          'Your own subscription ends at once, and your customer at Stripe is deleted with it. This cannot be undone. What SmartPause holds for you is still resumed.',
        done: 'Your subscription data is cleared.',
      };
    case 'force-up':
    case 'force-low':
    case 'force-medium':
    case 'force-high':
      return forceWords(action, stats);
  }
}

function forceWords(action: ForceAction, stats: AdminStats | undefined): ActionWords {
  const { label, level } = FORCES.find((one) => one.action === action) ?? missing(action);
  const word = LEVEL_WORDS[level];
  return {
    label,
    question: `Force the status to ${word}?`,
    consequence:
      level === 'UP'
        ? `For everybody, whatever Meta reports: SmartPause pauses nothing, and resumes what it holds${among(stats)}.`
        : `For everybody, whatever Meta reports: SmartPause pauses the campaigns of those whose threshold this meets, and resumes what it holds for all others${among(stats)}.`,
    done: `The status is ${word} for everybody, until it is cleared.`,
  };
}

function among(stats: AdminStats | undefined): string {
  return stats === undefined
    ? ''
    : ` (SmartPause is on for ${counted(stats.smartPauseCampaigns, 'campaign')})`;
}

function missing(action: string): never {
  throw new Error(`there are no words for ${action}`);
}

export function directiveWords(directive: AdminStatus['adminDirective']): string {
  if (directive === null) return 'None';
  const action = directive.toLowerCase().replace('_', '-');
  return FORCES.find((one) => one.action === action)?.label ?? missing(directive);
}
