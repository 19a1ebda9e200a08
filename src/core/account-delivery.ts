import type { Instant } from './time.ts';
import { days } from './time.ts';

/** Why Meta delivers nothing in an ad account, for use inside a sentence, and what the user can do. */
export const NO_DELIVERY_COPY = {
  payment_overdue: { what: 'a payment is overdue', todo: 'Settle it in Ads Manager.' },
  in_review: { what: 'Meta reviews it', todo: 'Wait until Meta’s review is over.' },
  disabled: { what: 'it is disabled', todo: 'Request a review from Meta.' },
  disabled_policy: { what: 'it is disabled under Meta’s ad policies', todo: 'Request a review from Meta.' },
  disabled_payment: { what: 'it is disabled over a payment risk', todo: 'Request a review from Meta.' },
  closing: { what: 'it is being closed', todo: 'To keep it, contact Meta.' },
  closed: { what: 'it is closed', todo: 'To use it again, contact Meta.' },
};
export type NoDelivery = keyof typeof NO_DELIVERY_COPY;
export const NO_DELIVERY = Object.keys(NO_DELIVERY_COPY) as NoDelivery[];

/** By Meta's `account_status`. Meta delivers with 1, 8 (pending settlement) and 9 (in grace period). */
const BY_STATUS = new Map<number, NoDelivery>([
  [2, 'disabled'],
  [3, 'payment_overdue'],
  [7, 'in_review'],
  [100, 'closing'],
  [101, 'closed'],
]);
export const NOT_DELIVERING = [...BY_STATUS.keys()];

/** By Meta's `disable_reason`, as far as its name says what happened. */
const BY_DISABLE_REASON = new Map<number | null, NoDelivery>([
  [1, 'disabled_policy'],
  [3, 'disabled_payment'],
  [7, 'closed'],
]);

/** Only a page of the user makes us read the list of ad accounts: an older status says nothing. */
export const STATUS_COUNTS_MS = days(1);

interface ListedAccount {
  accountStatus: number | null;
  disableReason: number | null;
  /** When Meta last listed the account. */
  seenAt: Instant;
}

/** Null: Meta delivers, or it is not known. Campaigns there are paused and resumed like others. */
export function noDelivery(
  { accountStatus, disableReason, seenAt }: ListedAccount,
  now: Instant,
): NoDelivery | null {
  const reason = seenAt > now - STATUS_COUNTS_MS ? BY_STATUS.get(accountStatus ?? 0) : undefined;
  return (reason === 'disabled' ? BY_DISABLE_REASON.get(disableReason) : null) ?? reason ?? null;
}

/** 'Not delivering: a payment is overdue'. */
export function noDeliveryLabel(reason: NoDelivery): string {
  return `Not delivering: ${NO_DELIVERY_COPY[reason].what}`;
}

/** What the user can do about it, and what SmartPause does there. */
export function noDeliveryAdvice(reason: NoDelivery): string {
  return `${NO_DELIVERY_COPY[reason].todo} Until Meta delivers again, these campaigns don’t count as protected. SmartPause still pauses and resumes them.`;
}
