import type { Instant } from './time.ts';
import { days, minutes } from './time.ts';

/** A link that confirms an address is valid for so long after it was sent. */
export const LINK_VALID_DAYS = 3;
export const LINK_VALID_MS = days(LINK_VALID_DAYS);

const SEND_AGAIN_MS = minutes(1);
export const COUNTED_MS = days(1);
/** To all addresses that a user enters, which may be those of other people. */
const MOST_A_DAY = 20;

interface Addresses {
  email: string | null;
  confirmedEmail: string | null;
  /** Since when the mail server of an address refuses it for good. */
  refusals: Readonly<Record<string, Instant>>;
  askedEmail: string | null;
  askedAt: Instant | null;
}

/** Why emails may not reach a user; `refused`: by the address's mail server, for good. */
export const UNREACHED = ['unconfirmed', 'refused'] as const;

export interface Unreached {
  why: (typeof UNREACHED)[number];
  /** When the last link to the address was asked for, or since when it is refused; null: no link was. */
  at: Instant | null;
  /** Of `formerAddress`; absent: none. */
  former?: string;
}

/** An address has no case, as mail servers have it. One that is absent is no other's. */
export function isSameAddress(one: string | null, other: string | null): boolean {
  return one !== null && one.toLowerCase() === other?.toLowerCase();
}

/** Where all emails to the user go: until a new address is confirmed, also to the confirmed one that it is to replace. */
export function addressesOf({ email, confirmedEmail }: Pick<Addresses, 'email' | 'confirmedEmail'>) {
  const isReplaced = email !== null && !isSameAddress(confirmedEmail, email);
  return [email, isReplaced ? confirmedEmail : null].filter((address) => address !== null);
}

/** Null: its mail server does not refuse it. */
export function refusedSince({ refusals }: Pick<Addresses, 'refusals'>, address: string): Instant | null {
  return Object.entries(refusals).find(([refused]) => isSameAddress(refused, address))?.[1] ?? null;
}

/** The confirmed address that a new one is to replace, and at which every email arrives until then. Null: there is none. */
export function formerAddress(user: Pick<Addresses, 'email' | 'confirmedEmail' | 'refusals'>): string | null {
  const [, former = null] = addressesOf(user);
  return former === null || refusedSince(user, former) !== null ? null : former;
}

/** Null: the address is confirmed, or there is none. All emails go to the address in any case. */
export function unreachedOf(user: Addresses): Unreached | null {
  const { email } = user;
  if (email === null) return null;
  const refusedAt = refusedSince(user, email);
  if (refusedAt === null && isSameAddress(user.confirmedEmail, email)) return null;
  const former = formerAddress(user);
  return {
    ...(refusedAt !== null
      ? { why: 'refused', at: refusedAt }
      : // A link names the address exactly.
        { why: 'unconfirmed', at: user.askedEmail === email ? user.askedAt : null }),
    ...(former !== null && { former }),
  };
}

/** Whether saved settings send a link: to an address that is not confirmed and has no valid link. */
export function needsLink(user: Addresses, now: Instant): boolean {
  const unreached = unreachedOf(user);
  return unreached?.why === 'unconfirmed' && (unreached.at ?? -Infinity) <= now - LINK_VALID_MS;
}

/** Whether the former address is warned of another one. @param warned how often it was on the last day */
export function mayWarn(warned: number): boolean {
  return warned < MOST_A_DAY;
}

/**
 * Whether a link may be sent there now.
 * @param to null: an address that had none yet
 * @param sent the user's links of the last day: where to, and when they were asked for
 */
export function maySendLink(
  to: string | null,
  sent: readonly { to: string; at: Instant }[],
  now: Instant,
): boolean {
  return sent.length < MOST_A_DAY && sent.every((one) => one.to !== to || one.at <= now - SEND_AGAIN_MS);
}

/** `used`: its address is confirmed. `changed`: the user has another address now. */
export const LINK_STATES = ['open', 'used', 'expired', 'changed', 'unknown'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** What a link can still do. @param link null: there is no such link */
export function linkStateOf(
  link: { expiresAt: Instant; isForAddress: boolean; isConfirmed: boolean } | null,
  now: Instant,
): LinkState {
  if (link === null) return 'unknown';
  if (!link.isForAddress) return 'changed';
  if (link.isConfirmed) return 'used';
  return now < link.expiresAt ? 'open' : 'expired';
}

/** 'dan…': enough for its owner to recognise it. */
export function beginningOf(address: string): string {
  const [name = ''] = address.split('@');
  return `${name.slice(0, Math.min(3, Math.ceil(name.length / 2)))}…`;
}
