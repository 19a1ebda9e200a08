import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTHS = {
  prod: 14,
  price: 24,
  cus: 14,
  pm: 24,
  cs_test: 58,
  sub: 24,
  si: 14,
  in: 24,
  bpc: 24,
  bps: 24,
  we: 24,
  evt: 24,
  req: 14,
  whd: 14,
  whsec: 32,
} as const;

/** As long as Stripe's ids, to detect database columns that are too short. */
export function newId(prefix: keyof typeof LENGTHS): string {
  const letters = Array.from({ length: LENGTHS[prefix] }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${prefix}_${letters.join('')}`;
}
