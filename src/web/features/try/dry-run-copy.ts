import type { DryRunAccount, UnreadBecause } from '#contract/try-api.ts';
import type { NoDelivery } from '#core/account-delivery.ts';
import { NO_DELIVERY, NO_DELIVERY_COPY } from '#core/account-delivery.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { clearNames } from '#core/clear-names.ts';
import { NO_SPEND, spendLabel, totalOf } from '#core/coverage.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import type { DryRunReason } from '#core/outages/reasons.ts';
import { DRY_RUN_LABELS, DRY_RUN_REASONS, keepsSpending } from '#core/outages/reasons.ts';

export interface DryRunGroup {
  label: string;
  /** Its campaigns would keep spending. */
  isRisk: boolean;
  campaigns: { id: string; name: string; at?: string | undefined; account: string | null }[];
}

type Group = DryRunAccount['notPaused'][number];

const isHeld = ({ reason }: Group) => reason === 'held';
const isSpending = ({ reason }: Group) => reason === null || keepsSpending(reason);
const campaignsOf = (groups: readonly Group[]) => groups.flatMap(({ campaigns }) => campaigns);

interface DryRunSummary {
  /** 'If Meta’s status met your threshold now, SmartPause would pause 12 of your 40 running campaigns in 3 ad accounts.' */
  summary: string;
  /** '28 would keep spending: $710/day.'; null: none would. */
  risk: string | null;
}

/** @param isMatched the status meets the threshold now, so the campaigns are paused already */
export function dryRunSummary(accounts: readonly DryRunAccount[], isMatched: boolean): DryRunSummary {
  const { counted: read = [], idle = [] } = Object.groupBy(accounts, ({ noDelivery }) =>
    noDelivery === undefined ? 'counted' : 'idle',
  );
  const groups = read.flatMap(({ notPaused }) => notPaused);
  const paused = read.flatMap((one) => one.paused).length;
  const spending = campaignsOf(groups.filter(isSpending)).length;
  const left = idle.flatMap((one) => [
    ...one.paused,
    ...campaignsOf(one.notPaused.filter(isSpending)),
  ]).length;
  const pausedToo = idle.flatMap((one) => one.paused).length;
  const isAnyCounted = paused + spending > 0;
  const also = pausedToo === left ? 'paused, too' : `${figure(pausedToo)} of them paused, too`;
  const rest =
    left === 0 || (!isMatched && !isAnyCounted)
      ? ''
      : ` Not counted: ${counted(left, 'campaign')} where Meta delivers nothing${pausedToo === 0 ? '' : ` (${also})`}.`;
  if (accounts.every((one) => one.paused.length + campaignsOf(one.notPaused).length === 0)) {
    const isUnread = accounts.some((one) => one.isUnread);
    const none = 'You have no campaigns that SmartPause could pause.';
    return { summary: isUnread ? 'SmartPause couldn’t read your campaigns from Meta.' : none, risk: null };
  }
  const where = accounts.length > 1 ? placeOf(read) : '';
  const summary = isMatched
    ? inMatch(campaignsOf(groups.filter(isHeld)).length, paused, spending, where)
    : isAnyCounted || left === 0
      ? inCalm(paused, paused + spending, where)
      : idleCopy(left, pausedToo);
  return { summary: summary + rest, risk: riskOf(read, paused, spending, isMatched) };
}

/** Where the counted campaigns are. */
function placeOf(read: readonly DryRunAccount[]): string {
  const own = read.filter(
    ({ paused, notPaused }) => paused.length > 0 || notPaused.some((one) => isHeld(one) || isSpending(one)),
  );
  const [first] = own;
  if (first === undefined) return '';
  return ` in ${own.length === 1 ? first.name : counted(own.length, 'ad account')}`;
}

function inMatch(held: number, paused: number, spending: number, where: string): string {
  const all = counted(held + paused + spending, 'campaign');
  const what = held === 0 ? `none of your ${all}` : `${figure(held)} of ${all}`;
  const more = paused === 0 ? '' : ` It pauses ${figure(paused)} more now.`;
  return `Meta’s status meets your threshold now: SmartPause has paused ${what}${where}.${more}`;
}

function inCalm(paused: number, running: number, where: string): string {
  if (running === 0) return 'None of your campaigns is running, so an outage would pause nothing.';
  const would = running === 1 && paused === 0 ? 'wouldn’t' : 'would';
  return `If Meta’s status met your threshold now, SmartPause ${would} pause ${whom(paused, running)}${where}.`;
}

/** Of campaigns that run in ad accounts where Meta delivers nothing; there are no others. */
function idleCopy(running: number, paused: number): string {
  const [yours, them] =
    running === 1
      ? ['Your running campaign delivers', 'it']
      : [
          `Your ${figure(running)} running campaigns deliver`,
          paused === running ? 'all of them' : `${figure(paused)} of them`,
        ];
  const still = paused === 0 ? '' : ` SmartPause would still pause ${them}.`;
  return `${yours} nothing now, so an outage wastes no spend.${still}`;
}

function whom(count: number, running: number): string {
  if (running === 1) return 'your running campaign';
  if (count === running)
    return `${running === 2 ? 'both' : `all ${figure(running)}`} of your running campaigns`;
  return `${count === 0 ? 'none' : figure(count)} of your ${figure(running)} running campaigns`;
}

function riskOf(read: readonly DryRunAccount[], paused: number, spending: number, isMatched: boolean) {
  if (spending === 0) return null;
  const total = totalOf(
    read.map((one) => ({ ...NOTHING, currency: one.currency, open: one.spending ?? NO_SPEND })),
    ['open'],
  );
  const money = total.count === spending ? spendLabel(total) : null;
  const keep = isMatched ? (spending === 1 ? 'keeps' : 'keep') : 'would keep';
  const who = spending === 1 && paused === 0 && !isMatched ? 'It' : figure(spending);
  return `${who} ${keep} spending${money === null ? '' : `: ${money}`}.`;
}

const NOTHING = { protected: NO_SPEND, blocked: NO_SPEND };

/** One group per reason: those that would be paused, then those that would keep spending. One account is not named. */
export function dryRunGroups(accounts: readonly DryRunAccount[]): DryRunGroup[] {
  const groups = new Map(
    ORDER.map(([label, isRisk]): [string, DryRunGroup] => [label, { label, isRisk, campaigns: [] }]),
  );
  for (const { name, paused, notPaused, noDelivery } of accounts) {
    const account = accounts.length > 1 ? name : null;
    const nameOf = clearNames([...paused, ...campaignsOf(notPaused)]);
    const add = (label: string, campaigns: Group['campaigns']) =>
      groups.get(label)?.campaigns.push(...campaigns.map((one) => ({ ...one, name: nameOf(one), account })));
    const idle = noDelivery === undefined ? null : notCounted(noDelivery);
    add(idle === null ? WOULD : PAUSED_TOO + idle, paused);
    for (const group of notPaused)
      add((isSpending(group) ? idle : null) ?? labelOf(group.reason), group.campaigns);
  }
  return [...groups.values()].flatMap(({ label, ...group }) => {
    const { length } = group.campaigns;
    return length === 0 ? [] : [{ ...group, label: length === 1 ? label : label.replace(/^Keeps/, 'Keep') }];
  });
}

const WOULD = 'Would be paused';

/** @param reason null: one that the page does not know yet */
function labelOf(reason: DryRunReason | null): string {
  if (reason === null) return 'Not paused';
  if (reason === 'held') return 'Paused by SmartPause already';
  if (reason === 'already_paused') return 'Paused already, stays paused';
  return `${keepsSpending(reason) ? 'Keeps spending' : 'Not paused'}: ${DRY_RUN_LABELS[reason]}`;
}

const PAUSED_TOO = 'Would be paused, too. ';

function notCounted(reason: NoDelivery): string {
  return `Not counted: Meta delivers nothing in the ad account because ${NO_DELIVERY_COPY[reason].what}`;
}

const ofReasons = (isRisk: boolean) =>
  DRY_RUN_REASONS.filter((one) => keepsSpending(one) === isRisk).map(
    (one) => [labelOf(one), isRisk] as const,
  );
const ORDER: readonly (readonly [label: string, isRisk: boolean])[] = [
  [WOULD, false],
  ...ofReasons(true),
  [labelOf(null), true],
  ...NO_DELIVERY.flatMap((one) => ['', PAUSED_TOO].map((too) => [too + notCounted(one), false] as const)),
  ...ofReasons(false),
];

function oldCopy(of: readonly DryRunAccount[], because: UnreadBecause | undefined): string {
  const names = namesLabel(of);
  const old = `${of.length === 1 ? 'its list is' : 'their lists are'} older and may be wrong.`;
  switch (because) {
    case 'suspended':
      return `${SUSPENDED} The campaigns of ${names} are as last read.`;
    case 'app_limit':
      return `SmartPause’s own limit at Meta is nearly used up, so the campaigns of ${names} are as last read.`;
    case 'limit':
      return `Meta’s rate limit for ${names} is reached, so ${old}`;
    case undefined:
      return `Meta didn’t send the campaigns of ${names}, so ${old}`;
  }
}

/** Null: all lists are fresh. */
export function unreadCopy(accounts: readonly DryRunAccount[]): string | null {
  const unread = accounts.filter(({ isUnread }) => isUnread);
  const old = Map.groupBy(
    unread.filter(({ readAt }) => readAt !== null),
    ({ unreadBecause }) => unreadBecause,
  );
  const missing = unread.filter(({ readAt }) => readAt === null);
  const sentences = [
    ...[...old].map(([because, own]) => oldCopy(own, because)),
    missing.length > 0 &&
      `The campaigns of ${namesLabel(missing)} couldn’t be read yet, so they’re missing here.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? null : sentences.join(' ');
}
