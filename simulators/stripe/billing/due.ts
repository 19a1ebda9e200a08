import type { Account } from '../account.ts';
import { emit } from '../events.ts';
import type { CheckoutSession, Subscription } from '../objects.ts';
import { ENDED, endSubscription } from './end.ts';
import { itemOf } from './items.ts';
import { collect } from './payments.ts';
import { renew } from './switch.ts';

interface Due {
  at: number;
  run: () => void;
}

const RENEWED = ['trialing', 'active', 'past_due', 'unpaid'];

/** Runs due work in order of time, with the clock set to each due time. */
export function catchUp(account: Account): void {
  for (;;) {
    const due = earliest(account);
    if (due === null || due.at > account.now()) return;
    account.clock.at(due.at, due.run);
  }
}

function earliest(account: Account): Due | null {
  let found: Due | null = null;
  for (const due of dues(account)) if (found === null || due.at < found.at) found = due;
  return found;
}

/** Within one second the order here decides: an end before a renewal. */
function* dues(account: Account): Generator<Due> {
  for (const session of account.checkoutSessions.values()) {
    if (session.status !== 'open') continue;
    yield { at: session.expires_at, run: () => expireSession(account, session) };
  }
  for (const subscription of account.subscriptions.values()) {
    if (!ENDED.includes(subscription.status)) yield* duesOf(account, subscription);
  }
  for (const invoice of account.invoices.values()) {
    const at = invoice.automatically_finalizes_at ?? invoice.next_payment_attempt;
    if (at !== null) yield { at, run: () => void collect(account, invoice, 'schedule') };
  }
}

function* duesOf(account: Account, subscription: Subscription): Generator<Due> {
  const periodEnd = itemOf(subscription).current_period_end;
  const stop = (): void => endSubscription(account, subscription, 'cancellation_requested');
  if (subscription.cancel_at !== null) yield { at: subscription.cancel_at, run: stop };
  if (subscription.cancel_at_period_end) yield { at: periodEnd, run: stop };
  if (RENEWED.includes(subscription.status)) yield { at: periodEnd, run: () => renew(account, subscription) };
}

export function expireSession(account: Account, session: CheckoutSession): void {
  Object.assign(session, { status: 'expired', url: null });
  emit(account, 'checkout.session.expired', session);
}
