import type { CheckoutState, PlanType } from '#core/billing/subscription.ts';

/** The label of the button (PRICE-02). */
export function buttonLabel(state: CheckoutState | 'processing', cycle: PlanType): string {
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
