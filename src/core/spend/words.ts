import { moneyLabel } from '../money.ts';
import type { Range } from './estimate.ts';

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
