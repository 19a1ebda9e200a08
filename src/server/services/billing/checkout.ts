import PQueue from 'p-queue';
import { ApiError } from '#contract/errors.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import {
  PLAN_TYPES,
  checkoutState,
  effectiveSubscription,
  hasActiveSubscription,
} from '#core/billing/subscription.ts';
import { minutes } from '#core/time.ts';
import { findCustomer, saveCustomer, withCheckoutLock } from '../../db/billing/customers.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import { hasUsedTrial } from '../../db/billing/trials.ts';
import type { User } from '../../db/users/users.ts';
import { findUser } from '../../db/users/users.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import type { CheckoutPage } from '../../stripe/billing.ts';
import { isFailure } from '../../stripe/client.ts';
import type { Needs } from '../deps.ts';
import type { BillingDeps } from './sync.ts';
import { endCustomer, syncSubscription } from './sync.ts';

export type CheckoutDeps = BillingDeps & Needs<'publicUrl'>;

/** A checkout page that expires sooner is not given again. */
const STILL_GOOD_MS = minutes(30);

/** Each one keeps a database connection for its lock, and the other pages need connections too. */
const checkouts = new PQueue({ concurrency: 2 });
/** By user and plan: more requests share its result, since waiting for the lock they would delay other users. */
const underWay = new Map<string, Promise<string>>();

/**
 * Returns the checkout page. Parallel or repeated requests get the same page until it is paid.
 * A page whose address was not returned cannot be paid, so an interrupted checkout charges nothing.
 * @throws ApiError if the user must not subscribe now, or Stripe does not answer
 */
export function startCheckout(deps: CheckoutDeps, { id }: User, planType: PlanType): Promise<string> {
  const key = `${id} ${planType}`;
  const known = underWay.get(key);
  if (known !== undefined) return known;
  const act = () => withCheckoutLock(deps.db, id, () => openCheckout(deps, id, planType));
  const page = checkouts.add(act).finally(() => underWay.delete(key));
  underWay.set(key, page);
  return page;
}

async function openCheckout(deps: CheckoutDeps, userId: string, planType: PlanType): Promise<string> {
  const user = await requireStaying(deps, userId);
  await requireMaySubscribe(deps, user);
  await requireGoodPrice(deps, planType);
  const customerId = await ensureCustomer(deps, user);
  const fingerprints = fingerprintsOfUser(deps.cipher, user.platformUserId);
  const withTrial = !(await hasUsedTrial(deps.db, fingerprints));
  const successUrl = `${deps.publicUrl}/billing/success?session_id={CHECKOUT_SESSION_ID}`;
  const cancelUrl = `${deps.publicUrl}/billing/canceled?cycle=${planType}`;
  const order = { customerId, userId: user.id, planType, withTrial, successUrl, cancelUrl };
  const offer = deps.billing.offerOf(order);
  const goodUntil = deps.clock.now() + STILL_GOOD_MS;
  const pages = await deps.billing.listOpenCheckouts(customerId);
  const same = pages.find((page) => page.offer === offer && page.expiresAt > goodUntil);
  await closePages(
    deps,
    pages.filter((page) => page !== same),
  );
  // Now no page is open but this one: finds the subscription of every page that was paid before.
  await requireMaySubscribe(deps, user);
  const { url } = same ?? (await deps.billing.createCheckout(order));
  // A deletion that begins after this closes the page.
  await requireStaying(deps, userId);
  return url;
}

async function requireStaying({ db }: Needs<'db'>, userId: string): Promise<User> {
  const user = await findUser(db, userId);
  if (user === null || user.leaving !== null) throw new ApiError('ACCOUNT_LEAVING');
  return user;
}

/** Applies the core's rule to what Stripe says now, and to a grant. */
async function requireMaySubscribe(deps: BillingDeps, user: User): Promise<void> {
  await syncSubscription(deps, user.id);
  const now = deps.clock.now();
  const subscription = effectiveSubscription(await findOwnSubscriptions(deps.db, user.id), now);
  const state = checkoutState(subscription, hasActiveSubscription(subscription, now));
  if (state === 'payment_issue') throw new ApiError('PAYMENT_DUE');
  if (state === 'subscribed') throw new ApiError('ALREADY_SUBSCRIBED');
}

/** A customer that was deleted at Stripe is replaced. */
async function ensureCustomer(deps: BillingDeps, user: User): Promise<string> {
  const known = await findCustomer(deps.db, user.id);
  if (known !== null) {
    if (await deps.billing.hasCustomer(known)) return known;
    await endCustomer(deps, user.id, known);
  }
  const customerId = await deps.billing.createCustomer(user);
  if (await saveCustomer(deps.db, user.id, customerId)) return customerId;
  await deps.billing.deleteCustomer(customerId);
  throw new ApiError('ACCOUNT_LEAVING');
}

/** A price that differs from the pricing page is not sold. */
async function requireGoodPrice(deps: Needs<'billing' | 'log'>, planType: PlanType): Promise<void> {
  const fault = await deps.billing.faultOfPrice(planType);
  if (fault === null) return;
  deps.log.error({ plan: planType, fault }, 'Stripe price unusable');
  throw new ApiError('BILLING_MISCONFIGURED');
}

/** Reports wrong prices to the operator before a customer meets them. */
export async function checkPrices(deps: Needs<'billing' | 'log'>): Promise<void> {
  await Promise.allSettled(PLAN_TYPES.map((planType) => requireGoodPrice(deps, planType)));
}

/**
 * Closes the user's unpaid checkout pages.
 * @throws ApiError if Stripe does not answer
 */
export async function closeCheckouts(deps: Needs<'db' | 'billing'>, userId: string): Promise<void> {
  const customerId = await findCustomer(deps.db, userId);
  if (customerId === null) return;
  try {
    await closePages(deps, await deps.billing.listOpenCheckouts(customerId));
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error;
  }
}

/** The next read of the subscription finds a page that was paid at this moment. */
async function closePages(deps: Needs<'billing'>, pages: readonly CheckoutPage[]): Promise<void> {
  await Promise.all(pages.map(({ id }) => deps.billing.expireCheckout(id)));
}
