import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { PLAN_TYPES, PRICES } from '#core/billing/subscription.ts';
import { dateOf } from '../../lib/times.ts';

const MONTHS: Record<PlanType, number> = { monthly: 1, yearly: 12 };

const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** '$29.00', or '$23.17' for the yearly plan. */
export function pricePerMonth(plan: PlanType): string {
  return exact.format(PRICES[plan] / MONTHS[plan]);
}

/** '$278.00 per year'. */
export function fullPrice(plan: PlanType | null): string {
  if (plan === null) return 'the price of your plan';
  return `${exact.format(PRICES[plan])} per ${plan === 'yearly' ? 'year' : 'month'}`;
}

/** The saving of the yearly plan. */
export function savingsPercent(): number {
  return Math.round(100 * (1 - PRICES.yearly / (PRICES.monthly * MONTHS.yearly)));
}

/** 'Billed annually ($278) after trial'; without a trial left, it promises none. */
export function billedLabel(plan: PlanType, withTrial: boolean): string {
  const billed = plan === 'yearly' ? `Billed annually ($${PRICES.yearly})` : 'Billed monthly';
  return withTrial ? `${billed} after trial` : billed;
}

/** 'Then $278.00 per year from Dec 21, 2026, unless you cancel before then.' */
export function afterTrialCopy({ planType, trialEnd, currentPeriodEnd }: Subscription): string {
  const from = dateOf(trialEnd ?? currentPeriodEnd);
  return `Then ${fullPrice(planType)} from ${from}, unless you cancel before then.`;
}

/** 'Yearly plan, $278.00 per year'. */
export function planLabel(subscription: Subscription): string {
  const { planType } = subscription;
  if (planType === null) return 'Your plan';
  const plan = planType === 'yearly' ? 'Yearly plan' : 'Monthly plan';
  return isGranted(subscription) ? `${plan}, granted free of charge` : `${plan}, ${fullPrice(planType)}`;
}

/** Granted by an admin: not charged, and it ends by itself. */
export function isGranted({ status, renews, canceledAt }: Subscription): boolean {
  return status === 'active' && !renews && canceledAt === null;
}

/** The plan in the `cycle` parameter: unknown values are monthly (ROUTE-04); null: no parameter. */
export function readCycle(params: URLSearchParams): PlanType | null {
  const cycle = params.get('cycle');
  return cycle === null ? null : (PLAN_TYPES.find((plan) => plan === cycle) ?? 'monthly');
}

/** The address that starts the checkout of this plan. @param isChosen opens its steps at once */
export function paymentAddress(plan: PlanType | null, isChosen = false): string {
  const params = { ...(isChosen && { modal: 'open' }), ...(plan !== null && { cycle: plan }) };
  const query = new URLSearchParams(params).toString();
  return query === '' ? '/payment' : `/payment?${query}`;
}

/** Where users manage their subscription. */
export const BILLING_SETTINGS = '/settings/billing';
