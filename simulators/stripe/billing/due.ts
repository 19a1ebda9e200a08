import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import type { CheckoutSession, Invoice, Subscription } from '../objects.ts';
import { endSubscription } from './end.ts';
import { invoicesOf } from './invoices.ts';
import { itemOf } from './items.ts';
import { collect } from './payments.ts';
import { renew } from './renew.ts';
import { INCOMPLETE_FOR, TRIAL_NOTICE } from './subscribe.ts';

interface Due {
  at: number;
  run: () => void;
}

const RENEWED = ['trialing', 'active', 'past_due', 'unpaid'];
const ENDED = ['canceled', 'incomplete_expired'];

/** Does what has fallen due, in the order in which it fell due, each at its own time. */
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

/** Of what is due in the same second, what comes first here is done first: an end before a renewal. */
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
  const { status, trial_start: start, trial_end: end, cancel_at: cancelAt } = subscription;
  if (status === 'trialing' && end !== null && !account.trialEndAnnounced.has(subscription.id)) {
    const at = Math.max(start ?? 0, end - TRIAL_NOTICE);
    yield { at, run: () => announceTrialEnd(account, subscription) };
  }
  const periodEnd = itemOf(subscription).current_period_end;
  const stop = (): void => endSubscription(account, subscription, 'cancellation_requested');
  if (cancelAt !== null) yield { at: cancelAt, run: stop };
  if (subscription.cancel_at_period_end) yield { at: periodEnd, run: stop };
  if (RENEWED.includes(status)) yield { at: periodEnd, run: () => renew(account, subscription) };
  if (status === 'incomplete')
    yield { at: subscription.created + INCOMPLETE_FOR, run: () => expireIncomplete(account, subscription) };
}

function announceTrialEnd(account: Account, subscription: Subscription): void {
  account.trialEndAnnounced.add(subscription.id);
  emit(account, 'customer.subscription.trial_will_end', subscription);
}

function expireIncomplete(account: Account, subscription: Subscription): void {
  for (const invoice of invoicesOf(account, subscription))
    if (invoice.status === 'open') voidInvoice(account, invoice);
  change(account, 'customer.subscription.updated', subscription, {
    status: 'incomplete_expired',
    ended_at: account.now(),
  });
}

function voidInvoice(account: Account, invoice: Invoice): void {
  Object.assign(invoice, {
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, voided_at: account.now() },
  } satisfies Partial<Invoice>);
  emit(account, 'invoice.voided', invoice);
}

export function expireSession(account: Account, session: CheckoutSession): void {
  Object.assign(session, { status: 'expired', url: null });
  emit(account, 'checkout.session.expired', session);
}
