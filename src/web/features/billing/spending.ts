import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { counted } from '#core/labels.ts';
import { WHOLE_UNITS, moneyLabel } from '#core/money.ts';
import { days } from '#core/time.ts';

export interface OwnList {
  account: AdAccount;
  /** Undefined: the list could not be read. */
  campaigns: readonly Campaign[] | undefined;
}

/** The campaigns that Meta delivers now. */
export function runningIn({ account, campaigns = [] }: OwnList): readonly Campaign[] {
  if (account.noDelivery !== undefined) return [];
  return campaigns.filter(({ status, undelivered }) => status === 'ACTIVE' && undelivered === undefined);
}

/** '$50/day + €20/day, 2 budgets not known'; null: no running campaign has a known budget. */
export function spendingLabel(lists: readonly OwnList[]): string | null {
  const budgets = perDay(lists);
  if (budgets.length === 0) return null;
  const unknown = lists.flatMap(runningIn).filter(({ dailyBudget }) => dailyBudget == null).length;
  const rest = unknown === 0 ? '' : `, ${counted(unknown, 'budget')} not known`;
  return `${unknown === 0 ? '' : 'at least '}${budgets.map(({ label }) => `${label}/day`).join(' + ')}${rest}`;
}

/** What the budgets of today come to in a time: '$1.23', '$35'. Null: nothing, or not known. */
export function budgetsFor(lists: readonly OwnList[], ms: number): string | null {
  const sums = perDay(lists).map(({ amount, currency }) => {
    const sum = (amount * ms) / days(1);
    // It is an estimate.
    const isRound = sum >= 1000 && !WHOLE_UNITS.has(currency ?? '');
    return moneyLabel(isRound ? Math.round(sum / 100) * 100 : sum, currency, isRound);
  });
  return ms === 0 || sums.length === 0 ? null : sums.join(' + ');
}

/** The known budgets, one sum for each currency. */
function perDay(lists: readonly OwnList[]) {
  return [...Map.groupBy(lists, ({ account }) => account.currency)].flatMap(([currency, own]) => {
    const amount = own.flatMap(runningIn).reduce((sum, { dailyBudget }) => sum + (dailyBudget ?? 0), 0);
    const label = moneyLabel(amount, currency, true);
    return amount === 0 || label === null ? [] : [{ amount, currency, label }];
  });
}
