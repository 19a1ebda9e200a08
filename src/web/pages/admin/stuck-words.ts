import type { Retried, StuckEntry } from '#contract/admin.ts';
import { COUNTED_MAX } from '#contract/admin.ts';
import type { RetriedPart, StuckPart } from '#contract/failing.ts';
import { RETRIED_PARTS } from '#contract/failing.ts';
import type { MailKind } from '#core/mails.ts';
import type { Instant } from '#core/time.ts';
import { counted, figure } from '#core/words.ts';
import { atTime, timeUntil } from '../../times.ts';

/** '12,345', or '10,000+' where nobody counted any further. */
export function cappedCount(count: number): string {
  return count > COUNTED_MAX ? `${figure(COUNTED_MAX)}+` : figure(count);
}

export function isRetried(part: StuckPart): part is RetriedPart {
  return RETRIED_PARTS.some((one) => one === part);
}

/** What is asked before things of a part are tried again, and what is said of it. */
export function retryQuestion(part: RetriedPart, count: number): { title: string; consequence: string } {
  const [what, then] = RETRY_WORDS[part](count);
  return { title: `Try ${what} again now?`, consequence: then };
}

const ACCOUNTS_THEN =
  'SmartPause looks at their campaigns now, and pauses or resumes what is due. What Meta’s limit blocks is left alone until that is over.';

const RETRY_WORDS: Record<RetriedPart, (count: number) => [what: string, then: string]> = {
  accounts_behind: (count) => [counted(count, 'ad account'), ACCOUNTS_THEN],
  accounts_failing: (count) => [counted(count, 'ad account'), ACCOUNTS_THEN],
  holds_in_doubt: (count) => [counted(count, 'campaign'), ACCOUNTS_THEN],
  mail_waiting: (count) => [counted(count, 'mail'), 'Advertisers are sent what waits for its next try.'],
  mail_given_up: (count) => [
    counted(count, 'mail'),
    'Advertisers are told what they were not told then. If it fails once more it is given up again.',
  ],
  readings_failing: (count) => [
    counted(count, 'subscription'),
    'Stripe is asked, and people’s subscriptions become what it says now.',
  ],
  leaving_failing: (count) => [
    counted(count, 'account'),
    'Meta and Stripe are asked once more, and whoever nothing keeps any longer is let go.',
  ],
};

/** What came of it. */
export function retriedWords({ count, blocked, blockedUntil }: Retried, now: Instant): string {
  const until =
    blockedUntil === null ? '' : `, the first of them until ${atTime(Date.parse(blockedUntil), now)}`;
  const left = blocked === 0 ? '' : `${counted(blocked, 'ad account')} left alone for Meta’s limit${until}.`;
  if (count === 0) return blocked === 0 ? 'It is not stuck any more.' : `Nothing is due now: ${left}`;
  return [`${figure(count)} due now.`, left].filter((one) => one !== '').join(' ');
}

const MAIL_WORDS: Record<MailKind, string> = {
  paused: 'Campaigns were paused',
  resumed: 'Campaigns were resumed',
  disabled: 'SmartPause was disabled',
  unknown: 'The status is unknown',
  token_stale: 'Access to Meta ends soon',
  token_expired: 'Access to Meta has ended',
  account_lost: 'An ad account was lost',
  welcome: 'Welcome',
  trial_ending: 'The trial ends soon',
  payment_failed: 'A payment failed',
  subscription_ended: 'The subscription ended',
  deauthorized: 'Farewell after revoking',
  deleted: 'Farewell after deleting',
};

/** What the thing is called. */
export function stuckName(part: StuckPart, { id, campaign, accountId, kind }: StuckEntry): string {
  switch (part) {
    case 'accounts_behind':
    case 'accounts_failing':
    case 'accounts_limited':
      return accountId ?? id;
    case 'holds_in_doubt':
      return campaign?.name ?? `Campaign ${campaign?.id ?? id}`;
    case 'mail_waiting':
    case 'mail_given_up':
      return `Mail ${id}: ${mailWords(kind ?? '')}`;
    case 'readings_failing':
      return 'Subscription';
    case 'leaving_failing':
      return kind === 'delete' ? 'Deleting the account' : 'Revoking the authorization';
  }
}

/** A newer server may know more kinds. */
function mailWords(kind: string): string {
  return Object.entries(MAIL_WORDS).find(([known]) => known === kind)?.[1] ?? kind;
}

/** Since when, how often, when it comes round by itself, and what keeps it from that. */
export function stuckFacts(part: StuckPart, entry: StuckEntry, now: Instant): string {
  const { since, failures, nextAt, blockedUntil, silentWorker, kind } = entry;
  const facts = [
    since === null
      ? null
      : `${part === 'mail_given_up' ? 'Given up' : 'Since'} ${atTime(Date.parse(since), now)}`,
    part === 'holds_in_doubt' ? (kind === 'resuming' ? 'resuming' : 'pausing') : null,
    failures > 0 ? `failed ${counted(failures, 'time')}` : null,
    silentWorker === null ? null : `taken by the process ${silentWorker.slice(0, 8)}, which has gone silent`,
    blockedUntil === null ? null : `Meta’s limit blocks it until ${atTime(Date.parse(blockedUntil), now)}`,
    nextAt === null || blockedUntil !== null ? null : `tried by itself ${timeUntil(Date.parse(nextAt), now)}`,
  ];
  const words = facts.filter((fact) => fact !== null).join(' · ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
