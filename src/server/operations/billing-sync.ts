import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import { chooseSubscription, superfluous, toSubscription } from '#core/stripe-subscription.ts';
import type { StripeSubscription } from '#core/stripe-subscription.ts';
import type { Subscription } from '#core/subscription.ts';
import { hasActiveSubscription, needsPayment, trialExpiresFrom } from '#core/subscription.ts';
import type { Reading } from '../db/billing-customers.ts';
import { beginReading, findDueReadings, settleReading } from '../db/billing-customers.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { recordActivities } from '../db/journal.ts';
import { makeDueForPerson } from '../db/lanes.ts';
import { addMails } from '../db/mails.ts';
import type { Person } from '../db/people.ts';
import { findPerson } from '../db/people.ts';
import { findOwnSubscriptions, saveSubscription } from '../db/subscriptions.ts';
import { noteTrial } from '../db/trials.ts';
import type { OperationDeps } from './deps.ts';

/** A reading that nobody hears of any more is begun anew after this. */
const RETRY_MS = minutes(1);
/** However many webhooks were lost, after this our row is true again. */
const SWEEP_MS = days(1);
const SOON_MS = minutes(5);
const AT_ONCE = 10;

/**
 * Makes our row what Stripe says now. Stripe alone knows, so nothing is taken from an event but whom it is about:
 * late, doubled, reordered and missing events all end in the same row.
 * @param alongside is written in the same transaction
 * @returns false when Stripe did not answer; it is asked again by itself
 */
export async function syncSubscription(
  deps: OperationDeps,
  personId: string,
  alongside: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  const { db, billing, clock } = deps;
  const reading = await beginReading(db, personId, clock.now() + RETRY_MS);
  if (reading === null) return true;
  const answer = await billing.listSubscriptions(reading.customerId);
  if (!answer.ok && answer.failure !== 'gone') return false;
  const all = answer.ok ? answer.value : [];
  const isSettled = await inTransaction(db, async (tx) => {
    await alongside(tx);
    return settle(deps, tx, reading, { all, isGone: !answer.ok });
  });
  deps.wake();
  // What a later reading has seen is its own to act on.
  if (isSettled) for (const extra of superfluous(all)) await endExtra(deps, personId, extra);
  return true;
}

async function settle(
  deps: OperationDeps,
  tx: Db,
  reading: Reading,
  found: { all: readonly StripeSubscription[]; isGone: boolean },
): Promise<boolean> {
  const now = deps.clock.now();
  const chosen = chooseSubscription(found.all);
  const next = chosen === null ? null : toSubscription(chosen);
  if (!(await settleReading(tx, reading, nextReadingAt(next, now)))) return false;
  const person = await findPerson(tx, reading.personId);
  if (person === null) return false;
  const { stripe: before } = await findOwnSubscriptions(tx, person.id);
  // Of a customer who is gone Stripe says nothing any more: what there was has ended. Who they were is remembered, since
  // it may only be that our key is for another account.
  const after = found.isGone && before !== null ? ended(before, now) : next;
  if (found.all.some(({ trialStart }) => trialStart !== null)) {
    await noteTrial(tx, deps.vault.fingerprints(`platform user ${person.platformUserId}`), now);
  }
  await saveSubscription(tx, { personId: person.id, source: 'stripe' }, after);
  await tellChange(tx, person, { before, after }, now);
  await writeAbout(tx, person, { before, after }, now);
  if (hasActiveSubscription(before, now) !== hasActiveSubscription(after, now)) {
    await makeDueForPerson(tx, person.id, now);
  }
  return true;
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
  // Its renewal has not been heard of yet, and until then there is no access.
  if (renews && currentPeriodEnd <= now) return now + SOON_MS;
  const turns = [trialExpiresFrom(subscription), currentPeriodEnd].filter((at) => at !== null && at > now);
  return Math.min(now + SWEEP_MS, ...turns.map(Number));
}

async function tellChange(
  tx: Db,
  person: Person,
  { before, after }: { before: Subscription | null; after: Subscription | null },
  now: Instant,
): Promise<void> {
  if (after === null || (before?.status === after.status && before.planType === after.planType)) return;
  const message = `The subscription of ${person.name} (${after.planType}) is ${after.status.replace('_', ' ')}.`;
  const about = { personId: person.id, actor: 'stripe', type: 'other', event: 'subscription' } as const;
  await recordActivities(tx, [{ ...about, message, reason: after.status }], now);
}

/** What a person must hear of in time; each is written once, however often it is noticed. */
async function writeAbout(
  tx: Db,
  person: Person,
  { before, after }: { before: Subscription | null; after: Subscription | null },
  now: Instant,
): Promise<void> {
  if (after === null || person.leaving !== null) return;
  const personIds = [person.id];
  const { status, currentPeriodEnd } = after;
  const nearEnd = trialExpiresFrom(after);
  if (nearEnd !== null && nearEnd <= now) {
    await addMails(tx, { personIds, kind: 'trial_ending', event: `trial:${after.trialEnd}` }, now);
  }
  if (needsPayment(after)) {
    await addMails(tx, { personIds, kind: 'payment_failed', event: `${status}:${currentPeriodEnd}` }, now);
  }
  if (status === 'canceled' && before !== null && currentPeriodEnd <= now) {
    await addMails(tx, { personIds, kind: 'subscription_ended', event: `ended:${currentPeriodEnd}` }, now);
  }
}

/** Somebody subscribed twice, in two tabs: the newest stays, and for the others nobody is charged any more. */
async function endExtra(deps: OperationDeps, personId: string, extra: StripeSubscription): Promise<void> {
  deps.log.error({ person: personId, subscription: extra.id }, 'a second subscription is cancelled');
  const ended = await deps.billing.cancelSubscription(extra.id);
  if (!ended.ok) return;
  const message = 'A second subscription was cancelled, so that nothing is charged twice.';
  const about = { personId, actor: 'smartpause', type: 'other', event: 'extra_subscription' } as const;
  await inTransaction(deps.db, (tx) =>
    recordActivities(tx, [{ ...about, message, reason: extra.id }], deps.clock.now()),
  );
}

/** Reads Stripe for everybody whose time has come: daily, at the turn of a period, and where a reading failed. */
export async function syncDue(deps: OperationDeps): Promise<void> {
  for (;;) {
    const due = await findDueReadings(deps.db, AT_ONCE, deps.clock.now());
    const results = await Promise.all(due.map((personId) => syncSafely(deps, personId)));
    // A reading that failed is due again only later, so this ends.
    if (due.length < AT_ONCE || results.includes(false)) return;
  }
}

async function syncSafely(deps: OperationDeps, personId: string): Promise<boolean> {
  try {
    return await syncSubscription(deps, personId);
  } catch (error) {
    deps.log.error({ err: error, person: personId }, 'a subscription could not be read');
    return false;
  }
}
