import type { CheckoutState, PlanType, Subscription } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';

export interface Situation {
  isProcessing: boolean;
  hasActiveSubscription: boolean;
  subscription: Subscription | null;
}

export type ButtonState = 'processing' | CheckoutState;

export function buttonState({ isProcessing, hasActiveSubscription, subscription }: Situation): ButtonState {
  return isProcessing ? 'processing' : checkoutState(subscription, hasActiveSubscription);
}

/** The label of the button (PRICE-02). */
export function buttonLabel(state: ButtonState, cycle: PlanType): string {
  switch (state) {
    case 'processing':
      return 'Processing...';
    case 'subscribed':
      return 'Already Subscribed';
    case 'payment_issue':
      return 'Payment Issue - Go to Settings';
    case 'may_subscribe':
      return cycle === 'yearly' ? 'Get Started - Yearly' : 'Get Started - Monthly';
  }
}
