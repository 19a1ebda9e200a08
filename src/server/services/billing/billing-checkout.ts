import { createHash } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import { priceFault } from '#core/billing/stripe-price.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import { PLAN_TYPES, checkoutState, hasActiveSubscription } from '#core/billing/subscription.ts';
import { minutes, seconds } from '#core/time.ts';
import type { CheckoutSession } from '../../stripe/billing.ts';
import type { StripeResult, StripeFailure } from '../../stripe/client.ts';
import type { BillingCustomer } from '../../db/billing/billing-customers.ts';
import {
  beginCustomer,
  claimCheckout,
  findBillingCustomer,
  isCheckoutClaimed,
  nameCustomer,
  releaseCheckout,
  renewRequestKey,
} from '../../db/billing/billing-customers.ts';
import type { User } from '../../db/users/users.ts';
import { findUser } from '../../db/users/users.ts';
import { findSubscription } from '../../db/billing/subscriptions.ts';
import { hasUsedTrial } from '../../db/billing/trials.ts';
import { fingerprintsOfUser, newSecret } from '../../secrets.ts';
import { need, readNow } from './billing.ts';
import { endCustomer } from './billing-sync.ts';
import type { Needs } from '../deps.ts';
import type { BillingDeps } from './billing-sync.ts';
import { waitUntil } from '../campaigns/wait-until.ts';

export type CheckoutDeps = BillingDeps & Needs<'publicUrl'>;

/** A checkout session that expires sooner is not reused. */
const STILL_GOOD_MS = minutes(30);
/** How long a second click waits for the first. */
const CLAIM_TIMEOUT_MS = seconds(35);
/** Ends the claim of a killed process; a request that Stripe delays longer must retry. */
const CLAIM_MS = seconds(30);
const ASK_AGAIN_MS = 250;
/** Retries after a payment or a deletion changed the state during the checkout. */
const TRIES = 3;

/**
 * Returns the checkout page. Parallel or repeated requests get the same page until it is paid.
 * @throws ApiError if the user must not subscribe now, or Stripe does not answer
 */
export async function startCheckout(deps: CheckoutDeps, user: User, planType: PlanType): Promise<string> {
  if (!(await isStaying(deps, user))) throw new ApiError('ACCOUNT_LEAVING');
  // A user without a Stripe customer can only have a grant, so our own row is complete.
  if ((await findBillingCustomer(deps.db, user.id)) === null) await requireNoSubscription(deps, user);
  await beginCustomer(deps.db, { userId: user.id, requestKey: newSecret() });
  return alone(deps, user.id, async (isStillAlone) => {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const current = await requireMaySubscribe(deps, user);
      const fingerprints = fingerprintsOfUser(deps.cipher, current.platformUserId);
      const withTrial = !(await hasUsedTrial(deps.db, fingerprints));
      const url = await openCheckout(deps, current, { planType, withTrial });
      if (url !== null && (await isStillAlone()) && (await isStaying(deps, user))) return url;
      if (url !== null) return closeAgain(deps, user);
    }
    throw new ApiError('BILLING_UNAVAILABLE');
  });
}

/**
 * Closes the user's unpaid checkout pages.
 * @throws ApiError if Stripe does not answer
 */
export async function closeCheckouts(deps: Needs<'db' | 'billing'>, userId: string): Promise<void> {
  const customer = await findBillingCustomer(deps.db, userId);
  if (customer?.customerId == null) return;
  const known = await deps.billing.listCheckouts(customer.customerId);
  if (!known.ok && known.failure === 'gone') return;
  const failed: string[] = [];
  for (const { id, isOpen } of need(known)) {
    if (isOpen && !(await deps.billing.expireCheckout(id)).ok) failed.push(id);
  }
  if (failed.length === 0) return;
  // A session that is no longer open was just paid; the next subscription read finds it.
  const now = need(await deps.billing.listCheckouts(customer.customerId));
  if (now.some(({ id, isOpen }) => isOpen && failed.includes(id))) throw new ApiError('BILLING_UNAVAILABLE');
}

/** Serializes checkouts of a user: two at once could open two pages and both could be paid. */
async function alone<T>(
  deps: Needs<'db' | 'clock'>,
  userId: string,
  act: (isStillAlone: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { db } = deps;
  let until = 0;
  const claim = async () => {
    const claimed = await claimCheckout(db, userId, CLAIM_MS);
    until = claimed ?? 0;
    return claimed !== null;
  };
  if (!(await waitUntil(claim, CLAIM_TIMEOUT_MS, deps.clock, ASK_AGAIN_MS)))
    throw new ApiError('BILLING_UNAVAILABLE');
  try {
    return await act(() => isCheckoutClaimed(db, userId, until));
  } finally {
    await releaseCheckout(db, userId, until);
  }
}

/** Applies the core's rule to the stored subscription. */
async function requireNoSubscription(deps: Needs<'db' | 'clock'>, user: User): Promise<void> {
  const now = deps.clock.now();
  const subscription = await findSubscription(deps.db, user.id, now);
  const state = checkoutState(subscription, hasActiveSubscription(subscription, now));
  if (state === 'payment_issue') throw new ApiError('PAYMENT_DUE');
  if (state === 'subscribed') throw new ApiError('ALREADY_SUBSCRIBED');
}

/** A user who began to leave may have closed the checkouts before this one existed. */
async function isStaying(deps: Needs<'db'>, user: User): Promise<boolean> {
  const current = await findUser(deps.db, user.id);
  return current !== null && current.leaving === null;
}

/** The claim expired, and another request may have opened a page since: closes all of them. */
async function closeAgain(deps: Needs<'db' | 'billing'>, user: User): Promise<never> {
  await closeCheckouts(deps, user.id);
  throw new ApiError((await isStaying(deps, user)) ? 'BILLING_UNAVAILABLE' : 'ACCOUNT_LEAVING');
}

async function requireMaySubscribe(deps: BillingDeps, user: User): Promise<User> {
  await readNow(deps, user);
  const current = await findUser(deps.db, user.id);
  if (current === null || current.leaving !== null) throw new ApiError('ACCOUNT_LEAVING');
  await requireNoSubscription(deps, user);
  return current;
}

interface Wanted {
  planType: PlanType;
  withTrial: boolean;
}

/** Null: the state changed since the read; the caller reads again. */
async function openCheckout(deps: CheckoutDeps, user: User, wanted: Wanted): Promise<string | null> {
  const customer = await requireCustomer(deps, user);
  if (customer === null) return null;
  const { customerId } = customer;
  const [customerThere, known, price] = await Promise.all([
    deps.billing.readCustomer(customerId),
    deps.billing.listCheckouts(customerId),
    readGoodPrice(deps, wanted.planType),
  ]);
  if ([customerThere, known].some((answer) => !answer.ok && answer.failure === 'gone')) {
    await endCustomer(deps, { userId: user.id, customerId });
    return null;
  }
  need(customerThere);
  need(price);
  const sessions = need(known);
  const same = sessions.find((session) => session.isOpen && isWanted(session, wanted, deps.clock.now()));
  for (const session of sessions.filter((one) => one.isOpen && one !== same)) {
    // Prevents a second payment. A page that cannot be closed was just paid.
    if (!(await deps.billing.expireCheckout(session.id)).ok) return null;
  }
  return same?.url ?? createCheckout(deps, user, { ...customer, ...wanted, after: sessions[0]?.id ?? null });
}

function isWanted(session: CheckoutSession, wanted: Wanted, now: number): boolean {
  const isSame = session.planType === wanted.planType && session.hasTrial === wanted.withTrial;
  return isSame && session.url !== null && session.expiresAt > now + STILL_GOOD_MS;
}

async function createCheckout(
  deps: Needs<'db' | 'billing' | 'publicUrl'>,
  user: User,
  given: Wanted & NamedCustomer & { after: string | null },
): Promise<string | null> {
  const { customerId, requestKey, after, planType, withTrial } = given;
  const successUrl = `${deps.publicUrl}/billing/success?session_id={CHECKOUT_SESSION_ID}`;
  const cancelUrl = `${deps.publicUrl}/billing/canceled?cycle=${planType}`;
  const order = { customerId, userId: user.id, planType, withTrial, successUrl, cancelUrl };
  const idempotencyKey = hash({ ...order, after, requestKey });
  const session = await deps.billing.createCheckout({ ...order, idempotencyKey });
  if (!session.ok && isKept(session.failure)) await renewRequestKey(deps.db, given, newSecret());
  if (!session.ok && session.failure === 'spent') return null;
  return need(session).url;
}

interface NamedCustomer extends BillingCustomer {
  customerId: string;
}

/**
 * Returns or creates the user's Stripe customer. After a crash the same key finds the same customer.
 * Null: the idempotency key is spent; the next attempt uses a new one.
 */
async function requireCustomer(deps: Needs<'db' | 'billing'>, user: User): Promise<NamedCustomer | null> {
  const customer = await findBillingCustomer(deps.db, user.id);
  // The account was deleted since.
  if (customer === null) return null;
  if (customer.customerId !== null) return { ...customer, customerId: customer.customerId };
  const { id: userId, name, email } = user;
  const idempotencyKey = hash({ customer: customer.requestKey });
  const created = await deps.billing.createCustomer({ userId, name, email, idempotencyKey });
  if (!created.ok && isKept(created.failure)) await renewRequestKey(deps.db, customer, newSecret());
  if (!created.ok && created.failure === 'spent') return null;
  const customerId = need(created);
  if (await nameCustomer(deps.db, customer, customerId)) return { ...customer, customerId };
  // Another request stored a customer first, or the user is leaving: leave no orphan at Stripe.
  const known = await findBillingCustomer(deps.db, userId);
  if (known?.customerId !== customerId) await deps.billing.deleteCustomer(customerId);
  return null;
}

/** Stripe stores its response under the key, even an error that a later fix resolves. */
function isKept(failure: StripeFailure): boolean {
  return failure === 'spent' || failure === 'misconfigured';
}

/** Treats a Stripe price that differs from the pricing page as missing. */
async function readGoodPrice(
  deps: Needs<'billing' | 'log'>,
  planType: PlanType,
): Promise<StripeResult<StripePrice>> {
  const price = await deps.billing.readPrice(planType);
  const unreadable = !price.ok && price.failure === 'misconfigured' ? 'cannot be read' : null;
  const fault = price.ok ? priceFault(price.value, planType) : unreadable;
  if (fault === null) return price;
  deps.log.error({ plan: planType, fault }, 'Stripe price unusable');
  return { ok: false, failure: 'misconfigured' };
}

/** Reports wrong prices to the operator before a customer meets them. */
export async function checkPrices(deps: Needs<'billing' | 'log'>): Promise<void> {
  for (const planType of PLAN_TYPES) await readGoodPrice(deps, planType);
}

function hash(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
