import { fullTime } from '#core/new-york.ts';
import { PRICES } from '#core/billing/subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/words.ts';
import type { Block, Mail } from './blocks.ts';

export interface BillingFacts {
  publicUrl: string;
  planType: PlanType;
  /** When the trial, the paid period or the access ends or ended. */
  end: Instant;
  /** Campaigns with SmartPause on. */
  watched: number;
}

export function trialEndingMail({ publicUrl, planType, end }: BillingFacts): Mail {
  return {
    subject: `Your free trial of SmartPause ends on ${fullTime(end)}`,
    preview: `Then the ${planType} plan begins: $${PRICES[planType]}. You can cancel until then.`,
    title: 'Your free trial ends soon',
    blocks: [
      {
        kind: 'text',
        text: `Your free trial ends on ${fullTime(end)}. Then your ${planType} plan begins and $${PRICES[planType]} is charged to the card you gave. If you want it to go on, you need not do anything.`,
      },
      {
        kind: 'text',
        text: 'If not, cancel it under Billing in Settings before that time, and nothing is charged.',
      },
      billing(publicUrl, 'Go to Billing'),
    ],
  };
}

export function paymentFailedMail(facts: BillingFacts & { isSuspended: boolean }): Mail {
  const { publicUrl, planType, watched, isSuspended } = facts;
  const title = isSuspended ? 'Your subscription is suspended' : 'Your payment failed';
  return {
    subject: `${title}: SmartPause pauses nothing new until it is paid`,
    preview: 'Please put your card right under Billing in Settings.',
    title,
    blocks: [
      {
        kind: 'text',
        text: `The payment for your ${planType} plan did not go through${isSuspended ? ', and will not be tried again by itself' : '. It is tried again in the next days'}. Until it is paid SmartPause pauses nothing new. What it holds now it still resumes.`,
      },
      ...unwatched(watched, 'in a new outage until then'),
      { kind: 'text', text: 'Please give another card, or pay the open invoice, under Billing in Settings.' },
      billing(publicUrl, 'Put the payment right'),
    ],
  };
}

export function subscriptionEndedMail({ publicUrl, planType, end, watched }: BillingFacts): Mail {
  return {
    subject: 'Your SmartPause subscription has ended',
    preview: 'SmartPause pauses nothing new. You can subscribe again at any time.',
    title: 'Your subscription has ended',
    blocks: [
      {
        kind: 'text',
        text: `Your ${planType} plan ended on ${fullTime(end)}. SmartPause pauses nothing new from then on; what it holds now it still resumes. Your settings are kept.`,
      },
      ...unwatched(watched, 'in a new outage any more'),
      { kind: 'button', label: 'Subscribe again', address: `${publicUrl}/payment?cycle=${planType}` },
    ],
  };
}

function unwatched(watched: number, until: string): Block[] {
  if (watched === 0) return [];
  const are = watched === 1 ? 'is' : 'are';
  return [
    {
      kind: 'text',
      text: `${counted(watched, 'campaign')} with SmartPause on ${are} not looked after ${until}.`,
    },
  ];
}

function billing(publicUrl: string, label: string): Block {
  return { kind: 'button', label, address: `${publicUrl}/settings#billing` };
}
