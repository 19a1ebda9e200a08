import { moneyLabel } from '../money.ts';
import type { Range } from './estimate.ts';

/** Names of an estimate's amounts, on the page and in an email. */
export const AMOUNT_LABELS = {
  notSpent: 'Not spent while paused',
  later: 'Spent later the same day',
  kept: 'Kept',
  protected: 'Protected from waste',
} as const;

const DIGITS = 2;

interface RangeLabels {
  /** '$340', '$12,000': more digits would promise more than an estimate knows. */
  about: string;
  /** Both null: the likely amount says it all. */
  low: string | null;
  high: string | null;
}

/** Null: the currency is not known. */
export function rangeLabels({ low, likely, high }: Range, currency: string): RangeLabels | null {
  const [from, about, to] = [low, likely, high].map((amount) =>
    moneyLabel(Number(Math.round(amount).toPrecision(DIGITS)), currency, true),
  );
  if (from == null || about == null || to == null) return null;
  return from === to ? { about, low: null, high: null } : { about, low: from, high: to };
}

/** 'about €340 kept (between €210 and €460)', each currency apart; empty: nothing is known of it. */
export function keptLabel(kept: readonly (Range & { currency: string })[]): string {
  return kept.flatMap(({ currency, ...range }) => amountLabel(range, currency, ' kept') ?? []).join('; ');
}

/** 'about €340 (between €210 and €460)', with what became of the amount after it; null: the currency is not known. */
export function amountLabel(range: Range, currency: string, outcome = ''): string | null {
  const labels = rangeLabels(range, currency);
  if (labels === null) return null;
  const { about, low, high } = labels;
  return `about ${about}${outcome}${low === null || high === null ? '' : ` (between ${low} and ${high})`}`;
}

/** 'In the hours of the outage it spent $1.20, usually about $14'; null: the currency is not known. */
export function spentLabel(spent: { currency: string; inside: number; usual: number }): string | null {
  const { currency, inside, usual } = spent;
  const labels = rangeLabels({ low: usual, likely: usual, high: usual }, currency);
  const money = moneyLabel(Math.round(inside), currency, true);
  if (labels === null || money === null) return null;
  return `In the hours of the outage it spent ${money}, usually about ${labels.about}`;
}

/** Of an email about resumes, which is written before Meta's values of the day have settled. */
export const KEPT_LATER = {
  sentence: 'From tomorrow morning its page says what the outage kept, as far as that is known.',
  link: 'its page',
} as const;
