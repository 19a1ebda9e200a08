import { SUBSCRIPTION_STATUSES } from './billing/subscription.ts';
import type { DestinationKind } from './destinations.ts';
import { CHANNEL_NAMES } from './destinations.ts';

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

export function channelWords({ kind, destination }: { kind: DestinationKind; destination: string }): string {
  return `${CHANNEL_NAMES[kind]} “${destination}”`;
}
