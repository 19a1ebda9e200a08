import { moneyLabel } from '#core/money.ts';
import { figure } from '#core/labels.ts';
import type { OutageResult } from '#core/outages/outage.ts';
import { RESULT_LABELS } from '#core/outages/outage.ts';
import type { Delivery } from '#core/spend/evidence.ts';
import { cpmOf } from '#core/spend/evidence.ts';
import type { Instant } from '#core/time.ts';

/** '2026-11-25 02:10:12': what a claim quotes is exact, in UTC. */
export function utcLabel(at: Instant | null): string {
  return at === null ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** For who reads the claim, 'you' is another one. */
export function claimLabel(result: OutageResult): string {
  return result === 'resumed_by_user' ? 'Resumed by the advertiser' : RESULT_LABELS[result];
}

/** '$50.00'; empty: not known. */
export function spendLabel(delivery: Delivery | null, currency: string | undefined): string {
  return delivery === null ? '' : money(delivery.spend, currency);
}

/** The cost of 1,000 impressions; empty: not known, or there were none. */
export function cpmLabel(delivery: Delivery | null, currency: string | undefined): string {
  const cpm = delivery === null ? null : cpmOf(delivery);
  return cpm === null ? '' : money(cpm, currency);
}

function money(amount: number, currency: string | undefined): string {
  const whole = Math.round(amount);
  return moneyLabel(whole, currency) ?? figure(whole);
}
