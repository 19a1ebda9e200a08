/** Currencies that Meta counts in whole units, though some of them have cents. */
export const WHOLE_UNITS: ReadonlySet<string> = new Set(
  'CLP COP CRC HUF IDR ISK JPY KRW PYG TWD VND'.split(' '),
);

/** '$50.00'; null: the currency is not known. */
export function moneyLabel(minorUnits: number, currency: string | null | undefined): string | null {
  if (!/^[A-Z]{3}$/.test(currency ?? '')) return null;
  const isWhole = WHOLE_UNITS.has(currency ?? '');
  return (isWhole ? minorUnits : minorUnits / 100).toLocaleString('en-US', {
    ...{ style: 'currency', currency: currency ?? '' },
    ...(isWhole && { maximumFractionDigits: 0 }),
  });
}
