import type { AdAccount, HeldAccount, UserStatus } from '#contract/shapes.ts';
import { noDeliveryLabel } from '#core/account-delivery.ts';
import type { CoverageGroup, Total } from '#core/coverage.ts';
import { totalOf } from '#core/coverage.ts';
import { figure } from '#core/labels.ts';
import { ALL_ACCOUNTS } from './list-address.ts';

/** Why an outage would pause nothing at all for this user; null: it would. */
export type Unable = 'suspended' | 'access' | 'leaving' | 'not_set_up' | 'no_subscription' | null;

export interface Protection {
  /** Running campaigns that an outage would pause. */
  protectedCount: number;
  /** Running campaigns that would go on. */
  unprotected: Total;
  unprotectedIn: readonly { name: string }[];
  /** Of these: the user can turn SmartPause on for them; and SmartPause cannot pause them. */
  open: number;
  blocked: number;
  blockedIn: readonly { id: string; name: string; blocked: { count: number } }[];
  /** Running in this match, but neither protected nor at risk: resumed on request, and held ones that Meta shows running. */
  resumed: number;
  checking: number;
  /** Ad accounts whose campaigns are not known. */
  unread: readonly { name: string }[];
}

/** @param areHeldUp pauses of this match wait for Meta */
export function protectionOf(
  coverage: NonNullable<UserStatus['coverage']>,
  unable: Unable,
  areHeldUp = false,
): Protection {
  const safe = ['protected', 'checking'] as const;
  const run = unable !== null ? safe : areHeldUp ? (['protected'] as const) : [];
  const atRisk = ['open', 'blocked', ...run] as const;
  const countOf = (...groups: CoverageGroup[]) => totalOf(coverage, groups).count;
  return {
    protectedCount: unable === null ? countOf(...safe) : 0,
    unprotected: totalOf(coverage, atRisk),
    unprotectedIn: coverage.filter((one) => totalOf([one], atRisk).count > 0),
    open: countOf('open'),
    blocked: countOf('blocked'),
    blockedIn: coverage.filter(({ blocked }) => blocked.count > 0),
    resumed: countOf('resumed'),
    checking: unable === null ? countOf('checking') : 0,
    unread: coverage.filter(({ isUnread }) => isUnread),
  };
}

/** Of the paused campaigns those that Meta would deliver: where it delivers nothing, none counts as protected. */
export function deliveredOf(accounts: UserStatus['heldAccounts'] = []): number {
  return countIn(accounts.filter(({ deliversNothing }) => deliversNothing !== true));
}

/** Counts their paused campaigns. */
export function countIn(accounts: readonly Pick<HeldAccount, 'count'>[]): number {
  return accounts.reduce((sum, { count }) => sum + count, 0);
}

/** 'it', 'them', or '2 of them': of the unprotected campaigns. */
export function whomOf(count: number, { unprotected }: Protection): string {
  if (count !== unprotected.count) return `${figure(count)} of them`;
  return count === 1 ? 'it' : 'them';
}

/**
 * '30 of 35 protected · 28 paused', '28 of 35 paused · 6 more, not delivering' in a match, why Meta delivers nothing there, or the id where the
 * server sends no counts.
 * @param about.refused of the paused ones, those that Meta refuses to resume
 */
export function countsLabel(
  { id, noDelivery }: AdAccount,
  user: UserStatus | undefined,
  unable: Unable,
  { isInMatch, refused = 0 }: { isInMatch: boolean; refused?: number | undefined },
): string {
  const isOf = (one: { id: string }) => id === ALL_ACCOUNTS || one.id === id;
  const heldIn = (user?.heldAccounts ?? []).filter(isOf);
  const paused = countIn(heldIn);
  const coverage = user?.coverage?.filter(isOf) ?? [];
  const counts: string[] = [];
  if (noDelivery !== undefined) counts.push(noDeliveryLabel(noDelivery));
  else if (coverage.length > 0 && coverage.every(({ isUnread }) => isUnread)) counts.push('Couldn’t be read');
  else if (coverage.length > 0) {
    const { protectedCount, unprotected, resumed } = protectionOf(coverage, unable);
    // Those that are paused now are protected, unless a pause is all that they get.
    const delivered = deliveredOf(heldIn);
    const safe = protectedCount + delivered;
    const all = safe + unprotected.count + resumed;
    if (isInMatch && (unable === null || paused > 0) && all > 0) {
      const early = resumed === 0 ? '' : ` · ${figure(resumed)} resumed`;
      const idle = paused === delivered ? '' : ` · ${figure(paused - delivered)}\u00a0more, not delivering`;
      return `${figure(delivered)} of ${figure(all)} paused${idle}${early}${refusedLabel(refused)}`;
    }
    const some = unable === null ? `${figure(safe)} of ${figure(all)} protected` : 'Not protected';
    counts.push(all === 0 ? 'None running' : some);
  }
  if (paused > refused) counts.push(`${figure(paused)} paused`);
  return (
    `${counts.join(' · ')}${refusedLabel(refused)}` || (id === ALL_ACCOUNTS ? '' : id.replace(/^act_/, ''))
  );
}

function refusedLabel(refused: number): string {
  return refused === 0 ? '' : ` · ${figure(refused)} can’t resume`;
}

/** The button that turns SmartPause on for running campaigns, beside so many that have it on. */
export function protectLabel(open: number, safe: number): string {
  if (open === 1) return 'Protect it';
  return safe === 0 ? `Protect all ${figure(open)}` : `Protect the other ${figure(open)}`;
}
