/** Currencies that Meta counts in whole units, though some of them have cents. */
export const WHOLE_UNITS: ReadonlySet<string> = new Set(
  'CLP COP CRC HUF IDR ISK JPY KRW PYG TWD VND'.split(' '),
);
