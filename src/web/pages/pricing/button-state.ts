import type { PlanType, Subscription } from '#core/subscription.ts';
import { needsPayment } from '#core/subscription.ts';

export interface Situation {
  isProcessing: boolean;
  hasActiveSubscription: boolean;
  subscription: Subscription | null;
}

export type ButtonState = 'processing' | 'subscribed' | 'payment_issue' | 'ready';

export function buttonState({ isProcessing, hasActiveSubscription, subscription }: Situation): ButtonState {
  if (isProcessing) return 'processing';
  if (needsPayment(subscription)) return 'payment_issue';
  return hasActiveSubscription ? 'subscribed' : 'ready';
}

/** The words of the button (PRICE-02). */
export function buttonWords(state: ButtonState, cycle: PlanType): string {
  switch (state) {
    case 'processing':
      return 'Processing...';
    case 'subscribed':
      return 'Already Subscribed';
    case 'payment_issue':
      return 'Payment Issue - Go to Settings';
    case 'ready':
      return cycle === 'yearly' ? 'Get Started - Yearly' : 'Get Started - Monthly';
  }
}
