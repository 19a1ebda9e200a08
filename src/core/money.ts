/** Currencies that Meta counts in whole units, though some of them have cents. */
export const WHOLE_UNITS: ReadonlySet<string> = new Set(
  'CLP COP CRC HUF IDR ISK JPY KRW PYG TWD VND'.split(' '),
);

/** '$50.00' of an amount in Meta's unit of the currency; `short` is '$50' or '$50.25'. Null: the currency is not known. */
export function moneyLabel(
  amount: number,
  currency: string | null | undefined,
  short = false,
): string | null {
  if (currency == null || !/^[A-Z]{3}$/.test(currency)) return null;
  const whole = WHOLE_UNITS.has(currency);
  const key = `${currency}${short ? ' short' : ''}`;
  const format = formats.get(key) ?? formatOf(currency, whole, short);
  formats.set(key, format);
  return format.format(whole ? amount : amount / 100);
}

/** Shared: creating one for each amount would dominate the time to draw a list. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, whole: boolean, short: boolean): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    ...(whole && { maximumFractionDigits: 0 }),
    ...(short && { trailingZeroDisplay: 'stripIfInteger' }),
  });
}
