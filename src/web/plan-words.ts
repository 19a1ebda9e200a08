import type { PlanType } from '#core/subscription.ts';
import { PRICES, TRIAL_DAYS } from '#core/subscription.ts';

const MONTHS: Record<PlanType, number> = { monthly: 1, yearly: 12 };

const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** '$29.00', or '$23.17' for a year that is paid at once. */
export function pricePerMonth(plan: PlanType): string {
  return exact.format(PRICES[plan] / MONTHS[plan]);
}

/** '$278.00 per year'. */
export function fullPrice(plan: PlanType): string {
  return `${exact.format(PRICES[plan])} per ${plan === 'yearly' ? 'year' : 'month'}`;
}

/** How much less a year costs when it is paid at once. */
export function savingsPercent(): number {
  return Math.round(100 * (1 - PRICES.yearly / (PRICES.monthly * MONTHS.yearly)));
}

/** 'Billed annually ($278) after trial'; to whom no trial is left, none is promised. */
export function billedWords(plan: PlanType, withTrial: boolean): string {
  const billed = plan === 'yearly' ? `Billed annually ($${PRICES.yearly})` : 'Billed monthly';
  return withTrial ? `${billed} after trial` : billed;
}

export function afterTrialWords(plan: PlanType): string {
  return `Then your plan begins at ${fullPrice(plan)}, unless you cancel before.`;
}

export function promiseWords(withTrial: boolean): { title: string; text: string; small: string } {
  return withTrial
    ? {
        title: `Try SmartPause free for ${TRIAL_DAYS} days`,
        text: 'Everything SmartPause does, on every ad account you have. Pay nothing until the trial is over.',
        small: 'No charge today. One free trial per person; cancel before it ends and you pay nothing.',
      }
    : {
        title: 'Choose your plan',
        text: 'Everything SmartPause does, on every ad account you have.',
        small: 'Your plan begins when you pay. You can cancel anytime.',
      };
}
