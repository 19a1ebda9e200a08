import { SUBSCRIPTION_STATUSES } from './billing/subscription.ts';
import type { DestinationKind } from './destinations.ts';
import { CHANNEL_NAMES } from './destinations.ts';
import { fullTimeWithUtc } from './new-york.ts';

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

/** A late copy of the opposite had undone an external change. */
const lateAct = { pause: 'resume', resume: 'pause' } as const;
export const lateDetail = ({ act: undone, refusal }: { act: 'pause' | 'resume'; refusal: string | null }) =>
  `Meta applied our earlier ${lateAct[undone]} late ${refusal === null ? 'and it could not be undone' : `and refused to undo it: ${refusal}`}`;
export const postponedDetail = ({ until }: { until: number | null }) =>
  `another tool has it off at this time, as on other days; SmartPause resumes it${until === null ? '' : ` on ${fullTimeWithUtc(until)}`} at the latest`;
