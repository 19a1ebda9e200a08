import { counted } from './labels.ts';
import { moneyLabel } from './money.ts';
import { days } from './time.ts';

/** Only pages and the reconciler read lists: an older one says little about now. */
export const LIST_COUNTS_MS = days(1);

/** Running campaigns and their daily budgets together. */
export interface Spend {
  count: number;
  /** In Meta's unit of the ad account's currency; without the unknown ones. */
  budget: number;
  unknownBudgets: number;
}

export const NO_SPEND: Spend = { count: 0, budget: 0, unknownBudgets: 0 };

/** The campaigns of an ad account that Meta delivers, as last read, by what an outage would do. */
export interface Coverage {
  currency?: string | undefined;
  timeZone?: string | undefined;
  /** Meta has sent no list lately, or refuses the ad account: its campaigns are not known and not counted. */
  isUnread?: true | undefined;
  /** SmartPause is on and can pause them. */
  protected: Spend;
  /** SmartPause is off. */
  open: Spend;
  /** SmartPause cannot pause them: Meta refuses our changes. */
  blocked: Spend;
  /** Turned on in this match with 'Resume now' or by another tool, so that SmartPause leaves them on; absent: none. */
  resumed?: Spend | undefined;
  /** Paused in this match, but Meta shows them running, and it is not known yet who resumed them; absent: none. */
  checking?: Spend | undefined;
}

/** Of several ad accounts: the budgets by currency, which are never added up. */
export interface Total {
  count: number;
  budgets: ReadonlyMap<string, number>;
  unknownBudgets: number;
}

export type CoverageGroup = 'protected' | 'open' | 'blocked' | 'resumed' | 'checking';

export function totalOf(accounts: readonly Coverage[], groups: readonly CoverageGroup[]): Total {
  return addUp(
    accounts.flatMap((account) =>
      groups.map((group) => ({ ...(account[group] ?? NO_SPEND), currency: account.currency })),
    ),
  );
}

/** A budget in a currency that is not known is an unknown budget. */
export function addUp(spends: readonly (Spend & Pick<Coverage, 'currency'>)[]): Total {
  const budgets = new Map<string, number>();
  let [count, unknownBudgets] = [0, 0];
  for (const { currency = '', ...spend } of spends) {
    const isKnown = moneyLabel(0, currency) !== null;
    count += spend.count;
    unknownBudgets += isKnown ? spend.unknownBudgets : spend.count;
    if (isKnown && spend.budget > 0) budgets.set(currency, (budgets.get(currency) ?? 0) + spend.budget);
  }
  return { count, budgets, unknownBudgets };
}

/** 'at least €710/day and $50/day, 2 budgets unknown'; null: no campaign. */
export function spendLabel({ count, budgets, unknownBudgets }: Total): string | null {
  if (count === 0) return null;
  const unknown = unknownBudgets === 0 ? [] : [`${counted(unknownBudgets, 'budget')} unknown`];
  const known =
    budgets.size === 0 ? [] : [`${unknownBudgets > 0 ? 'at least ' : ''}${sumsLabel(budgets, '/day')}`];
  return [...known, ...unknown].join(', ') || null;
}

/** '€710/day and $50/day' with '/day' as the unit. */
export function sumsLabel(sums: ReadonlyMap<string, number>, unit = ''): string {
  return [...sums].map(([currency, sum]) => `${moneyLabel(sum, currency, true) ?? ''}${unit}`).join(' and ');
}
