import type { Account } from '../account.ts';
import { emit } from '../events.ts';
import type { Subscription } from '../objects.ts';
import { invoicesOf, stopAdvancing } from './invoices.ts';

export type EndReason = 'cancellation_requested' | 'payment_failed' | null;

/** The end of a subscription, now. When the end was asked for stays in `canceled_at`. */
export function endSubscription(account: Account, subscription: Subscription, reason: EndReason): void {
  const now = account.now();
  Object.assign(subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...subscription.cancellation_details,
      reason: subscription.cancellation_details?.reason ?? reason,
    },
  } satisfies Partial<Subscription>);
  for (const invoice of invoicesOf(account, subscription)) {
    if (invoice.status === 'draft' || invoice.status === 'open') stopAdvancing(account, invoice);
  }
  emit(account, 'customer.subscription.deleted', subscription);
}
