import { fullTime } from '#core/new-york.ts';
import { PRICES } from '#core/billing/subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/labels.ts';
import type { Block, Notification } from './blocks.ts';

export interface BillingFacts {
  publicUrl: string;
  planType: PlanType;
  /** When the trial, the paid period or the access ends or ended. */
  end: Instant;
  /** Campaigns with SmartPause on. */
  watched: number;
}

export function trialEndingNotification({ publicUrl, planType, end }: BillingFacts): Notification {
  return {
    subject: `Your SmartPause free trial ends on ${fullTime(end)}`,
    preview: `Then your ${planType} plan starts at $${PRICES[planType]}. You can cancel until then.`,
    title: 'Your free trial ends soon',
    blocks: [
      `Your free trial ends on ${fullTime(end)}. Then your ${planType} plan starts, and we charge $${PRICES[planType]} to your card. To keep SmartPause, no action is needed.`,
      "To cancel, go to Settings > Billing before then. You won't be charged.",
      billing(publicUrl, 'Go to Billing'),
    ],
  };
}

export function paymentFailedNotification(facts: BillingFacts & { isSuspended: boolean }): Notification {
  const { publicUrl, planType, watched, isSuspended } = facts;
  const title = isSuspended ? 'Your subscription is suspended' : 'Your payment failed';
  return {
    subject: `${title}: new outages won't pause your campaigns`,
    preview: 'Please update your card in Settings > Billing.',
    title,
    blocks: [
      `The payment for your ${planType} plan didn't go through. ${isSuspended ? "We won't retry it automatically" : "We'll retry over the next few days"}. Until it's paid, new outages won't pause your campaigns. Anything still paused is resumed.`,
      ...unwatched(watched, 'not protected until then'),
      'Use another card or pay the open invoice in Settings > Billing.',
      billing(publicUrl, 'Update payment'),
    ],
  };
}

export function subscriptionEndedNotification({
  publicUrl,
  planType,
  end,
  watched,
}: BillingFacts): Notification {
  return {
    subject: 'Your SmartPause subscription has ended',
    preview: "New outages won't pause your campaigns. You can subscribe again anytime.",
    title: 'Your subscription has ended',
    blocks: [
      `Your ${planType} plan ended on ${fullTime(end)}. New outages no longer pause your campaigns. Anything still paused is resumed. Your settings are kept.`,
      ...unwatched(watched, 'no longer protected'),
      { kind: 'button', label: 'Subscribe again', address: `${publicUrl}/payment?cycle=${planType}` },
    ],
  };
}

function unwatched(watched: number, state: string): Block[] {
  if (watched === 0) return [];
  const are = watched === 1 ? 'is' : 'are';
  return [`${counted(watched, 'campaign')} with SmartPause on ${are} ${state}.`];
}

function billing(publicUrl: string, label: string): Block {
  return { kind: 'button', label, address: `${publicUrl}/settings#billing` };
}
