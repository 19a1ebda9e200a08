import { SUBSCRIPTION_STATUSES } from './billing/subscription.ts';
import type { DestinationKind } from './destinations.ts';
import { CHANNEL_NAMES } from './destinations.ts';
import { DISRUPTION_WORDS } from './labels.ts';
import type { KnownLevel, Threshold } from './smartpause/level.ts';
import type { Cause } from './smartpause/signals.ts';

/** With 'paused', which is not a status of its own at Stripe. */
export const PAID_STATES = [...SUBSCRIPTION_STATUSES, 'paused'] as const;
export const PAID_WORDS: Record<(typeof PAID_STATES)[number], string> = {
  trialing: 'is on its free trial',
  active: 'is active',
  past_due: 'has a payment that didn’t go through',
  unpaid: 'is suspended, as it is not paid',
  canceled: 'is canceled',
  paused: 'is paused at Stripe',
  unknown: 'has a status that SmartPause does not know',
};

export const DESTINATION_CHANGES = [
  'turned_on',
  'turned_off',
  'new_address',
  'new_secret',
  'summary_off',
] as const;
export type DestinationChange = (typeof DESTINATION_CHANGES)[number];
export const CHANGE_WORDS: Record<DestinationChange, string> = {
  turned_on: 'was turned on',
  turned_off: 'was turned off',
  new_address: 'got another address',
  new_secret: 'got a new signing secret',
  summary_off: 'gets no monthly summary any more: its reader turned it off',
};

export function channelWords({ kind, destination }: { kind: DestinationKind; destination: string }): string {
  return `${CHANNEL_NAMES[kind]} “${destination}”`;
}

export const PAUSED_FOR: Record<Cause, string> = {
  status: 'for the outage',
  user: 'with “Pause all now”',
  early_warning: 'for an early warning',
};

export function whyPaused(given: {
  level: KnownLevel;
  threshold: Threshold;
  isOverride: boolean;
  cause?: Cause | undefined;
}): string {
  const { level, threshold, isOverride, cause = 'status' } = given;
  if (cause === 'user') return 'you chose “Pause all now”';
  if (cause === 'early_warning') return 'an early warning of an outage, which you let pause campaigns';
  const by = isOverride ? ', set by the SmartPause team' : '';
  return `${DISRUPTION_WORDS[level]}${by}, your threshold is ${threshold.toLowerCase()}`;
}

export function whyResumed(given: {
  level: KnownLevel;
  isLeaving: boolean;
  cause?: Cause | undefined;
}): string {
  if (given.isLeaving) return 'you are leaving SmartPause';
  if (given.cause === 'user') return '“Pause all now” has ended';
  if (given.cause === 'early_warning') return 'the early warning no longer pauses campaigns';
  return given.level === 'UP' ? 'the outage is over' : DISRUPTION_WORDS[given.level];
}
