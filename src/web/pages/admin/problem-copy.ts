import type { Problem } from '#contract/admin.ts';
import type { FailingPart, RetriedPart } from '#contract/failing.ts';
import { RETRIED_PARTS } from '#contract/failing.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/labels.ts';
import { atTime, timeUntil } from '../../text/times.ts';

export function isRetried(part: string): part is RetriedPart {
  return RETRIED_PARTS.some((one) => one === part);
}

/** The failing part and its effect for advertisers. */
const WORDS: Record<FailingPart, [what: string, then: string]> = {
  database: ['The database is slow or down', 'Nothing is paused or resumed until it responds.'],
  meta: ['Meta API is down', 'Pauses and resumes wait. SmartPause retries every few seconds.'],
  status_page: [
    'Meta’s status page can’t be read',
    'No new campaigns are paused. Scheduled resumes happen on time.',
  ],
  stripe: ['Stripe is down or rejects our calls', 'Subscriptions keep their last known state.'],
  tokens_closed: [
    'Meta tokens can’t be decrypted',
    'ENCRYPTION_KEY lacks their key. Restore it, or those users must log in again.',
  ],
  accounts_behind: ['An ad account is overdue', 'It’s waiting for Meta, the database or a worker.'],
  accounts_failing: ['Work in an ad account failed', 'SmartPause retries automatically.'],
  accounts_limited: ['Meta’s rate limit blocks an ad account', 'SmartPause continues when the limit ends.'],
  holds_unconfirmed: [
    'Meta has not confirmed a pause or resume',
    'SmartPause reads the campaign first, then finishes.',
  ],
  notification_waiting: ['An email couldn’t be sent yet', 'SmartPause retries for up to five days.'],
  notification_failed: ['An email was not sent', 'The user was not informed.'],
  readings_failing: ['A subscription could not be refreshed from Stripe', 'It keeps its last known state.'],
  leaving_failing: ['An account can’t be closed yet', 'Meta or Stripe hasn’t confirmed. SmartPause retries.'],
};

/** A newer server may know more kinds. */
export function problemCopy(part: string): { what: string; then: string } {
  const [what, then] = Object.entries(WORDS).find(([known]) => known === part)?.[1] ?? [part, ''];
  return { what, then };
}

const NOTIFICATION_LABELS: Record<NotificationKind, string> = {
  paused: 'Campaigns were paused',
  resumed: 'Campaigns were resumed',
  disabled: 'SmartPause was disabled',
  live_test: 'Live test',
  unknown: 'Status is unknown',
  token_stale: 'Meta connection expires soon',
  token_expired: 'Meta connection expired',
  account_lost: 'Ad account access lost',
  deauthorized: 'Authorization revoked',
  deleted: 'Account deleted',
};

/** The subject of the problem; empty: the whole installation. */
export function problemName({ part, id, campaign, accountId, kind }: Problem): string {
  if (campaign !== null) return campaign.name ?? `Campaign ${campaign.id}`;
  if (accountId !== null) return accountId;
  if (part.startsWith('notification_')) {
    const words = Object.entries(NOTIFICATION_LABELS).find(([known]) => known === kind)?.[1] ?? kind ?? '';
    return `Email ${id ?? ''}: ${words}`;
  }
  if (part === 'leaving_failing') return kind === 'delete' ? 'Account deletion' : 'Deauthorization';
  return part === 'readings_failing' ? 'Subscription' : '';
}

export function problemFacts(problem: Problem, now: Instant): string {
  const { part, since, failures, nextAt, blockedUntil } = problem;
  const failed =
    part === 'tokens_closed' ? counted(failures, 'token') : `Failed ${counted(failures, 'time')}`;
  const facts = [
    since === null ? null : `Since ${atTime(Date.parse(since), now)}`,
    failures > 0 ? failed : null,
    blockedUntil === null ? null : `Blocked until ${atTime(Date.parse(blockedUntil), now)}`,
    nextAt === null || blockedUntil !== null ? null : `Next retry ${timeUntil(Date.parse(nextAt), now)}`,
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
