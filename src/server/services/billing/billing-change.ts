import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import { hasFailedPayment } from '#core/billing/stripe-subscription.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, trialExpiresFrom } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { recordActivities } from '../../db/journal.ts';
import { makeDueForPerson } from '../../db/lanes.ts';
import { addMails } from '../../db/mails.ts';
import type { Person } from '../../db/users/people.ts';
import { saveSubscription } from '../../db/billing/subscriptions.ts';

/** That something ended long ago is no news: whoever was told may have been forgotten by our mails since. */
const NEWS_MS = days(30);

/** What Stripe says now beside what it said before. */
interface Change {
  before: Subscription | null;
  after: Subscription | null;
  /** What `after` was made of; null: the customer is gone. */
  chosen: StripeSubscription | null;
  /** The customer at Stripe. */
  of: string;
}

/** Writes the row, says what changed, and lets the engine look at the person's campaigns if access did. */
export async function takeOver(tx: Db, person: Person, change: Change, now: Instant): Promise<void> {
  const { before, after } = change;
  await saveSubscription(tx, { personId: person.id, source: 'stripe' }, after);
  await tellChange(tx, person, change, now);
  await writeAbout(tx, person, change, now);
  if (hasActiveSubscription(before, now) !== hasActiveSubscription(after, now)) {
    await makeDueForPerson(tx, person.id, now);
  }
}

async function tellChange(tx: Db, person: Person, { before, after }: Change, now: Instant): Promise<void> {
  if (after === null || (before?.status === after.status && before.planType === after.planType)) return;
  const message = `The subscription of ${person.name} (${after.planType}) is ${after.status.replace('_', ' ')}.`;
  const about = { personId: person.id, actor: 'stripe', type: 'other', event: 'subscription' } as const;
  await recordActivities(tx, [{ ...about, message, reason: after.status }], now);
}

/** What a person must hear of in time; each is written once, however often it is noticed. */
async function writeAbout(tx: Db, person: Person, change: Change, now: Instant): Promise<void> {
  const { before, after, chosen, of } = change;
  if (after === null || person.leaving !== null) return;
  const personIds = [person.id];
  const { status, currentPeriodEnd } = after;
  const nearEnd = trialExpiresFrom(after);
  if (nearEnd !== null && nearEnd <= now) {
    await addMails(tx, { personIds, kind: 'trial_ending', event: `trial:${after.trialEnd}` }, now);
  }
  if (hasFailedPayment(chosen) && before?.status !== status) {
    await addMails(tx, { personIds, kind: 'payment_failed', event: `${status}:${now}` }, now);
  }
  const isOver = status === 'canceled' && currentPeriodEnd <= now && now - currentPeriodEnd < NEWS_MS;
  // Whoever loses a customer's record at Stripe after the end has been told of the end.
  const isTold = chosen === null && before?.status === 'canceled' && before.currentPeriodEnd <= now;
  if (isOver && before !== null && !isTold) {
    await addMails(tx, { personIds, kind: 'subscription_ended', event: `ended:${chosen?.id ?? of}` }, now);
  }
}
