import type { DryRunAccount } from '#contract/try-api.ts';
import type { NoDelivery } from '#core/account-delivery.ts';
import { NO_DELIVERY, NO_DELIVERY_COPY } from '#core/account-delivery.ts';
import { clearNames } from '#core/clear-names.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import type { DryRunReason } from '#core/outages/reasons.ts';
import { DRY_RUN_LABELS, DRY_RUN_REASONS } from '#core/outages/reasons.ts';

export interface DryRunGroup {
  label: string;
  campaigns: { id: string; name: string; at?: string | undefined; account: string | null }[];
}

/**
 * 'If Meta’s status met your threshold now, SmartPause would pause 12 of 40 campaigns in 3 ad accounts.'
 * @param isMatched it meets it now, so the campaigns are paused already
 */
export function dryRunSummary(accounts: readonly DryRunAccount[], isMatched: boolean): string {
  const idle = accounts
    .filter(({ noDelivery }) => noDelivery !== undefined)
    .flatMap((one) => one.paused).length;
  const paused = accounts.flatMap((one) => one.paused).length - idle;
  const rest = idle === 0 ? '' : ` Not counted: ${counted(idle, 'campaign')} where Meta delivers nothing.`;
  const others = accounts.flatMap(({ notPaused }) => notPaused);
  const total = paused + others.reduce((sum, { campaigns }) => sum + campaigns.length, 0);
  if (total === 0 && accounts.some(({ isUnread }) => isUnread))
    return 'SmartPause couldn’t read your campaigns from Meta.';
  if (total === 0) return `You have no campaigns that SmartPause could pause.${rest}`;
  const where = accounts.length > 1 ? ` in ${counted(accounts.length, 'ad account')}` : '';
  const held = others.flatMap(({ reason, campaigns }) => (reason === 'held' ? campaigns : [])).length;
  const count = isMatched ? held : paused;
  const what =
    count === 0
      ? `none of your ${counted(total, 'campaign')}`
      : `${figure(count)} of ${counted(total, 'campaign')}`;
  if (!isMatched)
    return `If Meta’s status met your threshold now, SmartPause would pause ${what}${where}.${rest}`;
  const more = paused === 0 ? '' : ` It pauses ${figure(paused)} more now.`;
  return `Meta’s status meets your threshold now: SmartPause has paused ${what}${where}.${more}${rest}`;
}

/** The campaigns that would be paused, then one group per reason. One account is not named. */
export function dryRunGroups(accounts: readonly DryRunAccount[]): DryRunGroup[] {
  const groups = new Map<string, DryRunGroup['campaigns']>([['Would be paused', []]]);
  for (const reason of NO_DELIVERY) groups.set(notCounted(reason), []);
  for (const reason of [...DRY_RUN_REASONS, null]) groups.set(labelOf(reason), []);
  for (const { name, paused, notPaused, noDelivery } of accounts) {
    const account = accounts.length > 1 ? name : null;
    const nameOf = clearNames([...paused, ...notPaused.flatMap(({ campaigns }) => campaigns)]);
    const add = (label: string, campaigns: readonly Omit<DryRunGroup['campaigns'][number], 'account'>[]) =>
      groups.get(label)?.push(...campaigns.map((one) => ({ ...one, name: nameOf(one), account })));
    add(noDelivery === undefined ? 'Would be paused' : notCounted(noDelivery), paused);
    for (const { reason, campaigns } of notPaused) add(labelOf(reason), campaigns);
  }
  return [...groups].flatMap(([label, campaigns]) => (campaigns.length > 0 ? [{ label, campaigns }] : []));
}

/** @param reason null: one that the page does not know yet */
function labelOf(reason: DryRunReason | null): string {
  if (reason === null) return 'Not paused';
  return reason === 'held' ? 'Paused by SmartPause already' : `Not paused: ${DRY_RUN_LABELS[reason]}`;
}

function notCounted(reason: NoDelivery): string {
  return `Not counted: Meta delivers nothing in the ad account because ${NO_DELIVERY_COPY[reason].what}`;
}

/** Null: all lists are fresh. */
export function unreadCopy(accounts: readonly DryRunAccount[]): string | null {
  const unread = accounts.filter(({ isUnread }) => isUnread);
  const old = unread.filter(({ readAt }) => readAt !== null);
  const missing = unread.filter(({ readAt }) => readAt === null);
  const list = old.length === 1 ? 'its list is' : 'their lists are';
  const sentences = [
    old.length > 0 &&
      `Meta didn’t send the campaigns of ${namesLabel(old)}, so ${list} older and may be wrong.`,
    missing.length > 0 &&
      `The campaigns of ${namesLabel(missing)} couldn’t be read yet, so they’re missing here.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? null : sentences.join(' ');
}
