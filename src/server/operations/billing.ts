import { createHash } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import type { SubscriptionState } from '#contract/shapes.ts';
import type { StripePrice } from '#core/stripe-price.ts';
import { priceFault } from '#core/stripe-price.ts';
import type { PlanType } from '#core/subscription.ts';
import {
  PLAN_TYPES,
  effectiveSubscription,
  hasActiveSubscription,
  needsPayment,
} from '#core/subscription.ts';
import { minutes } from '#core/time.ts';
import type { CheckoutSession } from '../adapters/stripe/billing.ts';
import type { StripeAnswer } from '../adapters/stripe/client.ts';
import { beginCustomer, findBillingCustomer, forgetCustomer, nameCustomer } from '../db/billing-customers.ts';
import { findOwnSubscriptions } from '../db/subscriptions.ts';
import { hasUsedTrial } from '../db/trials.ts';
import type { Person } from '../db/people.ts';
import { newSecret } from '../secrets.ts';
import { syncSubscription } from './billing-sync.ts';
import type { OperationDeps } from './deps.ts';

/** A session that ends sooner than this is not handed out again. */
const STILL_GOOD_MS = minutes(30);

export async function getSubscription(deps: OperationDeps, person: Person): Promise<SubscriptionState> {
  const now = deps.clock.now();
  const own = await findOwnSubscriptions(deps.db, person.id);
  const subscription = effectiveSubscription(own, now);
  const customer = await findBillingCustomer(deps.db, person.id);
  return {
    hasActiveSubscription: hasActiveSubscription(subscription, now),
    subscription:
      subscription === null
        ? null
        : {
            status: subscription.status,
            planType: subscription.planType,
            currentPeriodEnd: iso(subscription.currentPeriodEnd),
            canceledAt: isoOrNull(subscription.canceledAt),
            trialEnd: isoOrNull(subscription.trialEnd),
            renews: subscription.renews,
          },
    isTrialAvailable: !(await hasUsedTrial(deps.db, fingerprintsOf(deps, person))),
    hasPortal: customer?.customerId != null && own.stripe !== null,
  };
}

/** Reads Stripe first: what the browser knows of a checkout or of the portal proves nothing. */
export async function refreshSubscription(deps: OperationDeps, person: Person): Promise<SubscriptionState> {
  await readNow(deps, person);
  return getSubscription(deps, person);
}

/** Where the person pays. Asked twice at once, or again before paying, it is the same place. */
export async function startCheckout(
  deps: OperationDeps,
  person: Person,
  planType: PlanType,
): Promise<string> {
  if (person.leaving !== null) throw new Refusal('ACCOUNT_LEAVING');
  await readNow(deps, person);
  const own = await findOwnSubscriptions(deps.db, person.id);
  if (needsPayment(own.stripe)) throw new Refusal('PAYMENT_DUE');
  const current = effectiveSubscription(own, deps.clock.now());
  if (hasActiveSubscription(current, deps.clock.now())) throw new Refusal('ALREADY_SUBSCRIBED');
  const withTrial = !(await hasUsedTrial(deps.db, fingerprintsOf(deps, person)));
  const first = await openCheckout(deps, person, { planType, withTrial });
  if (first.ok || first.failure !== 'gone') return need(first);
  // Stripe knows the customer no longer.
  await forgetCustomer(deps.db, person.id);
  return need(await openCheckout(deps, person, { planType, withTrial }));
}

interface Wanted {
  planType: PlanType;
  withTrial: boolean;
}

async function openCheckout(
  deps: OperationDeps,
  person: Person,
  wanted: Wanted,
): Promise<StripeAnswer<string>> {
  const customerId = await requireCustomer(deps, person);
  const [known, price] = await Promise.all([
    deps.billing.listCheckouts(customerId),
    readGoodPrice(deps, wanted.planType),
  ]);
  if (!known.ok) return known;
  need(price);
  const reusable = await reuse(deps, known.value, wanted);
  if (reusable !== null) return { ok: true, value: reusable };
  const successUrl = `${deps.publicUrl}/billing/success?session_id={CHECKOUT_SESSION_ID}`;
  const cancelUrl = `${deps.publicUrl}/billing/canceled`;
  const order = { customerId, personId: person.id, ...wanted, successUrl, cancelUrl };
  const idempotencyKey = hash({ ...order, after: known.value[0]?.id ?? null });
  const session = await deps.billing.createCheckout({ ...order, idempotencyKey });
  if (!session.ok) return session;
  const { url } = session.value;
  return url === null ? { ok: false, failure: 'unavailable' } : { ok: true, value: url };
}

/** Nobody is charged anything but what the pages say: a price of Stripe's that is another counts as none. */
async function readGoodPrice(deps: OperationDeps, planType: PlanType): Promise<StripeAnswer<StripePrice>> {
  const price = await deps.billing.readPrice(planType);
  const fault = price.ok ? priceFault(price.value, planType) : null;
  if (fault === null) return price;
  deps.log.error({ plan: planType }, `nobody can subscribe: the price at Stripe ${fault}`);
  return { ok: false, failure: 'misconfigured' };
}

/** Whoever runs this hears of wrong prices before a customer does. */
export async function checkPrices(deps: OperationDeps): Promise<void> {
  for (const planType of PLAN_TYPES) await readGoodPrice(deps, planType);
}

/** What is open and the same is used again; what is open and different is closed, so that nobody pays twice. */
async function reuse(
  deps: OperationDeps,
  known: readonly CheckoutSession[],
  wanted: Wanted,
): Promise<string | null> {
  const open = known.filter(({ isOpen }) => isOpen);
  const same = open.find(
    (session) =>
      session.planType === wanted.planType &&
      session.hasTrial === wanted.withTrial &&
      session.url !== null &&
      session.expiresAt > deps.clock.now() + STILL_GOOD_MS,
  );
  for (const session of open.filter((one) => one !== same)) {
    need(await deps.billing.expireCheckout(session.id));
  }
  return same?.url ?? null;
}

/** The person's customer at Stripe, made if there is none. A crash in between asks for the same one again. */
async function requireCustomer(deps: OperationDeps, person: Person): Promise<string> {
  const customer = await beginCustomer(
    deps.db,
    { personId: person.id, requestKey: newSecret() },
    deps.clock.now(),
  );
  if (customer.customerId !== null) return customer.customerId;
  const { id: personId, name, email } = person;
  const idempotencyKey = hash({ customer: customer.requestKey });
  const customerId = need(await deps.billing.createCustomer({ personId, name, email, idempotencyKey }));
  await nameCustomer(deps.db, customer, customerId);
  return customerId;
}

/** Where card, plan and cancellation are managed. */
export async function openPortal(deps: OperationDeps, person: Person): Promise<string> {
  const customer = await findBillingCustomer(deps.db, person.id);
  if (customer?.customerId == null) throw new Refusal('NO_BILLING');
  const answer = await deps.billing.openPortal({
    customerId: customer.customerId,
    returnUrl: `${deps.publicUrl}/settings?from=billing`,
  });
  if (!answer.ok && answer.failure === 'gone') {
    await forgetCustomer(deps.db, person.id);
    throw new Refusal('NO_BILLING');
  }
  return need(answer);
}

async function readNow(deps: OperationDeps, person: Person): Promise<void> {
  if (!(await syncSubscription(deps, person.id))) throw new Refusal('BILLING_UNAVAILABLE');
}

function need<T>(answer: StripeAnswer<T>): T {
  if (!answer.ok) throw new Refusal('BILLING_UNAVAILABLE');
  return answer.value;
}

function fingerprintsOf(deps: OperationDeps, person: Person): Uint8Array[] {
  return deps.vault.fingerprints(`platform user ${person.platformUserId}`);
}

function hash(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
