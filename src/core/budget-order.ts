import { WHOLE_UNITS } from './money.ts';

/** What a US dollar was worth in January 2026, rounded. Only for the order of ad accounts, so no rate is fetched. */
const PER_DOLLAR = `
  AED 3.67, ARS 1450, AUD 1.5, BDT 122, BOB 6.9, BRL 5.4, CAD 1.38, CHF 0.8, CLP 920, CNY 7, COP 3800, CRC 500, CZK 20.8,
  DKK 6.4, DZD 130, EGP 47.5, EUR 0.86, GBP 0.75, GTQ 7.7, HKD 7.8, HNL 26, HUF 330, IDR 16700, ILS 3.2, INR 90, ISK 126,
  JPY 157, KES 129, KRW 1450, LKR 309, MOP 8, MXN 18, MYR 4.1, NGN 1430, NIO 36.8, NOK 10.1, NZD 1.74, PEN 3.4, PHP 59,
  PKR 280, PLN 3.6, PYG 6700, QAR 3.64, RON 4.35, RUB 79, SAR 3.75, SEK 9.2, SGD 1.29, THB 31.5, TRY 43, TWD 31.5,
  UAH 42, USD 1, UYU 39, VES 300, VND 26300, ZAR 16.5`;

/** US cents for the unit in which Meta counts budgets, by currency. Others count like cents. */
export const CENTS: Readonly<Record<string, number>> = Object.fromEntries(
  PER_DOLLAR.trim()
    .split(/,\s+/)
    .map((entry) => {
      const [currency = '', perDollar] = entry.split(' ');
      return [currency, (WHOLE_UNITS.has(currency) ? 100 : 1) / Number(perDollar)];
    }),
);
