import type { Instant } from '#core/time.ts';
import { days, minutes, seconds } from '#core/time.ts';
import { chooseSubscription, superfluous, toSubscription } from '#core/billing/stripe-subscription.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { trialExpiresFrom } from '#core/billing/subscription.ts';
import type { StripeFailure } from '../../stripe/client.ts';
import type { Reading } from '../../db/billing/billing-customers.ts';
import {
  beginReading,
  claimDueReadings,
  findBillingCustomer,
  forgetCustomer,
  noteFailedReading,
  settleReading,
} from '../../db/billing/billing-customers.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/journal.ts';
import { findPerson } from '../../db/users/people.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import { noteTrial } from '../../db/billing/trials.ts';
import { fingerprintsOfUser, newSecret } from '../../secrets.ts';
import { takeOver } from './billing-change.ts';
import type { OperationDeps } from '../deps.ts';

/** A reading that nobody hears of any more is begun anew after this. */
const RETRY_MS = minutes(1);
/** However many webhooks were lost, after this our row is true again. */
const SWEEP_MS = days(1);
/** A period that is over and has not been followed by the next one: access depends on it. */
const AT_THE_TURN_MS = seconds(30);
const AT_ONCE = 10;

const nothing = (): Promise<void> => Promise.resolve();

/**
 * Makes our row what Stripe says now. Stripe alone knows, so nothing is taken from an event but whom it is about:
 * late, doubled, reordered and missing events all end in the same row.
 * @param alongside is written in the same transaction
 * @returns why Stripe did not tell, and then it is asked again by itself; null: it is done
 */
export async function syncSubscription(
  deps: OperationDeps,
  personId: string,
  alongside: (tx: Db) => Promise<void> = nothing,
): Promise<StripeFailure | null> {
  const { db, billing, clock } = deps;
  const reading = await inTransaction(db, (tx) => beginReading(tx, personId, clock.now() + RETRY_MS));
  if (reading === null) {
    await alongside(db);
    return null;
  }
  const answer = await billing.listSubscriptions(reading.customerId);
  if (!answer.ok) {
    if (answer.failure !== 'gone') {
      await noteFailedReading(db, reading, answer.failure, clock.now());
      return answer.failure;
    }
    await endCustomer(deps, reading, alongside);
    return null;
  }
  const all = answer.value;
  const isSettled = await inTransaction(db, async (tx) => {
    await alongside(tx);
    return settle(deps, tx, reading, all);
  });
  deps.wake();
  // What a later reading has seen is its own to act on.
  if (isSettled) for (const extra of superfluous(all)) await endExtra(deps, personId, extra);
  return null;
}

async function settle(
  deps: OperationDeps,
  tx: Db,
  reading: Reading,
  all: readonly StripeSubscription[],
): Promise<boolean> {
  const now = deps.clock.now();
  const chosen = chooseSubscription(all);
  const after = chosen === null ? null : toSubscription(chosen, now);
  const nextAt = superfluous(all).length > 0 ? now + RETRY_MS : nextReadingAt(after, now);
  if (!(await settleReading(tx, reading, nextAt))) return false;
  const person = await findPerson(tx, reading.personId);
  if (person === null) return false;
  if (all.some(({ isOurs, trialStart }) => isOurs && trialStart !== null)) {
    await noteTrial(tx, fingerprintsOfUser(deps.vault, person.platformUserId), now);
  }
  const { stripe: before } = await findOwnSubscriptions(tx, person.id);
  await takeOver(tx, person, { before, after, chosen, of: reading.customerId }, now);
  return true;
}

/**
 * The customer was deleted at Stripe, and what they had with them. The next one is another.
 * @param alongside is written in the same transaction
 */
export async function endCustomer(
  deps: OperationDeps,
  { personId, customerId }: { personId: string; customerId: string },
  alongside: (tx: Db) => Promise<void> = nothing,
): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    await alongside(tx);
    if (!(await forgetCustomer(tx, { personId, customerId, requestKey: newSecret() }))) return;
    const person = await findPerson(tx, personId);
    const { stripe: before } = await findOwnSubscriptions(tx, personId);
    if (person === null || before === null) return;
    await takeOver(tx, person, { before, after: ended(before, now), chosen: null, of: customerId }, now);
  });
  deps.wake();
}

function ended(subscription: Subscription, now: Instant): Subscription {
  const currentPeriodEnd = Math.min(subscription.currentPeriodEnd, now);
  return {
    ...subscription,
    status: 'canceled',
    canceledAt: subscription.canceledAt ?? now,
    currentPeriodEnd,
    renews: false,
  };
}

/** At the latest a day from now, when the trial's end comes near, and right when the period turns. */
function nextReadingAt(subscription: Subscription | null, now: Instant): Instant {
  if (subscription === null) return now + SWEEP_MS;
  const { renews, currentPeriodEnd } = subscription;
  if (renews && currentPeriodEnd <= now) {
    // The longer it stays away, the less often it is asked for.
    return now + Math.min(SWEEP_MS, Math.max(AT_THE_TURN_MS, (now - currentPeriodEnd) / 4));
  }
  const turns = [trialExpiresFrom(subscription), currentPeriodEnd].filter((at) => at !== null && at > now);
  return Math.min(now + SWEEP_MS, ...turns.map(Number));
}

/**
 * Somebody subscribed twice: the newest stays, and for the others nobody is charged any more. What was paid for them
 * counts towards the next bills.
 */
async function endExtra(deps: OperationDeps, personId: string, extra: StripeSubscription): Promise<void> {
  deps.log.error({ person: personId, subscription: extra.id }, 'a second subscription is cancelled');
  const ended = await deps.billing.cancelSubscription(extra.id, { isCredited: extra.status === 'active' });
  if (!ended.ok) return;
  const message =
    'A second subscription was canceled, so that nothing is charged twice. What was paid for it is credited.';
  const about = { personId, actor: 'smartpause', type: 'other', event: 'extra_subscription' } as const;
  await inTransaction(deps.db, (tx) =>
    recordActivities(tx, [{ ...about, message, reason: extra.id }], deps.clock.now()),
  );
}

/** Deletes the customer at Stripe, and with it what is still running there; what it was is read before. */
export async function deleteCustomer(deps: OperationDeps, personId: string): Promise<StripeFailure | null> {
  const failure = await syncSubscription(deps, personId);
  if (failure !== null) return failure;
  const customer = await findBillingCustomer(deps.db, personId);
  if (customer?.customerId == null) return null;
  const deleted = await deps.billing.deleteCustomer(customer.customerId);
  return deleted.ok ? null : deleted.failure;
}

/** Reads Stripe for everybody whose time has come: daily, at the turn of a period, and where a reading failed. */
export async function syncDue(deps: OperationDeps): Promise<void> {
  for (;;) {
    const now = deps.clock.now();
    const due = await claimDueReadings(deps.db, { limit: AT_ONCE, until: now + RETRY_MS }, now);
    const results = await Promise.all(due.map((personId) => syncSafely(deps, personId)));
    // A reading that failed is due again only later, so this ends.
    if (due.length < AT_ONCE || results.includes(false)) return;
  }
}

async function syncSafely(deps: OperationDeps, personId: string): Promise<boolean> {
  try {
    return (await syncSubscription(deps, personId)) === null;
  } catch (error) {
    deps.log.error({ err: error, person: personId }, 'a subscription could not be read');
    return false;
  }
}
