import { createHash } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import { priceFault } from '#core/billing/stripe-price.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import { PLAN_TYPES, checkoutState, hasActiveSubscription } from '#core/billing/subscription.ts';
import { minutes, seconds } from '#core/time.ts';
import type { CheckoutSession } from '../../stripe/billing.ts';
import type { StripeAnswer, StripeFailure } from '../../stripe/client.ts';
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
import type { Person } from '../../db/users/people.ts';
import { findPerson } from '../../db/users/people.ts';
import { findSubscription } from '../../db/billing/subscriptions.ts';
import { hasUsedTrial } from '../../db/billing/trials.ts';
import { fingerprintsOfUser, newSecret } from '../../secrets.ts';
import { need, readNow } from './billing.ts';
import { endCustomer } from './billing-sync.ts';
import type { OperationDeps } from '../deps.ts';
import { waitUntil } from '../campaigns/wait-until.ts';

/** A session that ends sooner than this is not handed out again. */
const STILL_GOOD_MS = minutes(30);
/** How long a second click waits for the first. */
const PATIENCE_MS = seconds(35);
/** Whoever was killed in the middle keeps nobody for longer; whom Stripe keeps longer must ask anew. */
const CLAIM_MS = seconds(30);
const ASK_AGAIN_MS = 250;
/** What was found is overtaken by a payment or by a deleted customer at most so often. */
const TRIES = 3;

/**
 * Where the person pays. Asked twice at once, or again before paying, it is the same place.
 * @throws Refusal whenever they must not subscribe now, or Stripe does not answer
 */
export async function startCheckout(
  deps: OperationDeps,
  person: Person,
  planType: PlanType,
): Promise<string> {
  if (!(await isStaying(deps, person))) throw new Refusal('ACCOUNT_LEAVING');
  await requireNoGrantAlone(deps, person);
  await beginCustomer(deps.db, { personId: person.id, requestKey: newSecret() }, deps.clock.now());
  return alone(deps, person.id, async (isStillAlone) => {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const current = await requireMaySubscribe(deps, person);
      const withTrial = !(await hasUsedTrial(
        deps.db,
        fingerprintsOfUser(deps.vault, current.platformUserId),
      ));
      const url = await openCheckout(deps, current, { planType, withTrial });
      if (url !== null && (await isStillAlone()) && (await isStaying(deps, person))) return url;
      if (url !== null) return closeAgain(deps, person);
    }
    throw new Refusal('BILLING_UNAVAILABLE');
  });
}

/**
 * What somebody has been sent to and not paid yet is closed.
 * @throws Refusal when Stripe does not answer
 */
export async function closeCheckouts(deps: OperationDeps, personId: string): Promise<void> {
  const customer = await findBillingCustomer(deps.db, personId);
  if (customer?.customerId == null) return;
  const known = await deps.billing.listCheckouts(customer.customerId);
  if (!known.ok && known.failure === 'gone') return;
  const failed: string[] = [];
  for (const { id, isOpen } of need(known)) {
    if (isOpen && !(await deps.billing.expireCheckout(id)).ok) failed.push(id);
  }
  if (failed.length === 0) return;
  // One that is not open any more has just been paid: whoever asks for what is running finds it.
  const now = need(await deps.billing.listCheckouts(customer.customerId));
  if (now.some(({ id, isOpen }) => isOpen && failed.includes(id))) throw new Refusal('BILLING_UNAVAILABLE');
}

/** One request at a time for a person: two at once would open two pages, and both could be paid. */
async function alone<T>(
  deps: OperationDeps,
  personId: string,
  act: (isStillAlone: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { db, clock } = deps;
  let until = 0;
  const claim = () => {
    until = clock.now() + CLAIM_MS;
    return claimCheckout(db, personId, until, clock.now());
  };
  if (!(await waitUntil(claim, PATIENCE_MS, ASK_AGAIN_MS))) throw new Refusal('BILLING_UNAVAILABLE');
  try {
    return await act(() => isCheckoutClaimed(db, personId, until, clock.now()));
  } finally {
    await releaseCheckout(db, personId, until);
  }
}

/** Of whoever was never at Stripe, Stripe has nothing to tell: what we know of them is all there is. */
async function requireNoGrantAlone(deps: OperationDeps, person: Person): Promise<void> {
  if ((await findBillingCustomer(deps.db, person.id)) === null) await requireNoSubscription(deps, person);
}

/** By the rule of the core, applied to what we know now. */
async function requireNoSubscription(deps: OperationDeps, person: Person): Promise<void> {
  const now = deps.clock.now();
  const subscription = await findSubscription(deps.db, person.id, now);
  const state = checkoutState(subscription, hasActiveSubscription(subscription, now));
  if (state === 'payment_issue') throw new Refusal('PAYMENT_DUE');
  if (state === 'subscribed') throw new Refusal('ALREADY_SUBSCRIBED');
}

/** Whoever began to leave meanwhile looked for open pages before this one was there. */
async function isStaying(deps: OperationDeps, person: Person): Promise<boolean> {
  const current = await findPerson(deps.db, person.id);
  return current !== null && current.leaving === null;
}

/** It took too long, and somebody else may have opened another page since: none of them is left open. */
async function closeAgain(deps: OperationDeps, person: Person): Promise<never> {
  await closeCheckouts(deps, person.id);
  throw new Refusal((await isStaying(deps, person)) ? 'BILLING_UNAVAILABLE' : 'ACCOUNT_LEAVING');
}

async function requireMaySubscribe(deps: OperationDeps, person: Person): Promise<Person> {
  await readNow(deps, person);
  const current = await findPerson(deps.db, person.id);
  if (current === null || current.leaving !== null) throw new Refusal('ACCOUNT_LEAVING');
  await requireNoSubscription(deps, person);
  return current;
}

interface Wanted {
  planType: PlanType;
  withTrial: boolean;
}

/** Null: what was found is not so any more, and has to be read again. */
async function openCheckout(deps: OperationDeps, person: Person, wanted: Wanted): Promise<string | null> {
  const customer = await requireCustomer(deps, person);
  if (customer === null) return null;
  const { customerId } = customer;
  const [customerThere, known, price] = await Promise.all([
    deps.billing.readCustomer(customerId),
    deps.billing.listCheckouts(customerId),
    readGoodPrice(deps, wanted.planType),
  ]);
  if ([customerThere, known].some((answer) => !answer.ok && answer.failure === 'gone')) {
    await endCustomer(deps, { personId: person.id, customerId });
    return null;
  }
  need(customerThere);
  need(price);
  const sessions = need(known);
  const same = sessions.find((session) => session.isOpen && isWanted(session, wanted, deps.clock.now()));
  for (const session of sessions.filter((one) => one.isOpen && one !== same)) {
    // Nobody pays twice: what is not wanted any more is closed. One that cannot be closed has just been paid.
    if (!(await deps.billing.expireCheckout(session.id)).ok) return null;
  }
  return (
    same?.url ?? createCheckout(deps, person, { ...customer, ...wanted, after: sessions[0]?.id ?? null })
  );
}

function isWanted(session: CheckoutSession, wanted: Wanted, now: number): boolean {
  const { planType, hasTrial, url, expiresAt } = session;
  return (
    planType === wanted.planType &&
    hasTrial === wanted.withTrial &&
    url !== null &&
    expiresAt > now + STILL_GOOD_MS
  );
}

async function createCheckout(
  deps: OperationDeps,
  person: Person,
  given: Wanted & NamedCustomer & { after: string | null },
): Promise<string | null> {
  const { customerId, requestKey, after, planType, withTrial } = given;
  const successUrl = `${deps.publicUrl}/billing/success?session_id={CHECKOUT_SESSION_ID}`;
  const cancelUrl = `${deps.publicUrl}/billing/canceled?cycle=${planType}`;
  const order = { customerId, personId: person.id, planType, withTrial, successUrl, cancelUrl };
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
 * The person's customer at Stripe, made if there is none. A crash in between asks for the same one again.
 * Null: the request's key is used up, and the next one has another.
 */
async function requireCustomer(deps: OperationDeps, person: Person): Promise<NamedCustomer | null> {
  const customer = await findBillingCustomer(deps.db, person.id);
  // Their account was deleted meanwhile.
  if (customer === null) return null;
  if (customer.customerId !== null) return { ...customer, customerId: customer.customerId };
  const { id: personId, name, email } = person;
  const idempotencyKey = hash({ customer: customer.requestKey });
  const created = await deps.billing.createCustomer({ personId, name, email, idempotencyKey });
  if (!created.ok && isKept(created.failure)) await renewRequestKey(deps.db, customer, newSecret());
  if (!created.ok && created.failure === 'spent') return null;
  const customerId = need(created);
  if (await nameCustomer(deps.db, customer, customerId)) return { ...customer, customerId };
  // Somebody else has named them, or they are leaving: nobody is left behind at Stripe.
  const known = await findBillingCustomer(deps.db, personId);
  if (known?.customerId !== customerId) await deps.billing.deleteCustomer(customerId);
  return null;
}

/** Stripe keeps its answer under the key, also a refusal that will be mended by then. */
function isKept(failure: StripeFailure): boolean {
  return failure === 'spent' || failure === 'misconfigured';
}

/** Nobody is charged anything but what the pages say: a price of Stripe's that is another counts as none. */
async function readGoodPrice(deps: OperationDeps, planType: PlanType): Promise<StripeAnswer<StripePrice>> {
  const price = await deps.billing.readPrice(planType);
  const unreadable = !price.ok && price.failure === 'misconfigured' ? 'cannot be read' : null;
  const fault = price.ok ? priceFault(price.value, planType) : unreadable;
  if (fault === null) return price;
  deps.log.error({ plan: planType }, `nobody can subscribe: the price at Stripe ${fault}`);
  return { ok: false, failure: 'misconfigured' };
}

/** Whoever runs this hears of wrong prices before a customer does. */
export async function checkPrices(deps: OperationDeps): Promise<void> {
  for (const planType of PLAN_TYPES) await readGoodPrice(deps, planType);
}

function hash(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
