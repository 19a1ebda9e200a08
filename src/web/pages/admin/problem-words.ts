import type { Problem } from '#contract/admin.ts';
import type { FailingPart, RetriedPart } from '#contract/failing.ts';
import { RETRIED_PARTS } from '#contract/failing.ts';
import type { MailKind } from '#core/mails.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/words.ts';
import { atTime, timeUntil } from '../../text/times.ts';

export function isRetried(part: string): part is RetriedPart {
  return RETRIED_PARTS.some((one) => one === part);
}

/** What fails, and what that means for advertisers. */
const WORDS: Record<FailingPart, [what: string, then: string]> = {
  database: ['The database is slow or does not answer', 'Nothing is paused or resumed until it answers.'],
  meta: [
    'Meta’s ad platform does not answer',
    'Pauses and resumes wait. SmartPause retries every few seconds.',
  ],
  status_page: [
    'Meta’s status page cannot be read',
    'No campaign is newly paused. Scheduled resumes happen on time.',
  ],
  stripe: ['Stripe does not answer or refuses calls', 'Subscriptions keep their last known state.'],
  tokens_closed: [
    'Tokens of Meta cannot be decrypted',
    'ENCRYPTION_KEY lacks their key. Restore the key, or the users log in again.',
  ],
  accounts_behind: ['An ad account is overdue', 'It waits for Meta, the database or a worker.'],
  accounts_failing: ['Work in an ad account failed', 'SmartPause retries automatically.'],
  accounts_limited: ['Meta’s rate limit blocks an ad account', 'SmartPause continues when the limit ends.'],
  holds_in_doubt: [
    'Meta has not confirmed a pause or resume',
    'SmartPause reads the campaign first, then finishes.',
  ],
  mail_waiting: ['An email could not be sent yet', 'SmartPause retries for up to five days.'],
  mail_given_up: ['An email was not sent', 'The user was not informed.'],
  readings_failing: ['A subscription could not be read from Stripe', 'It keeps its last known state.'],
  leaving_failing: [
    'An account cannot be closed yet',
    'Meta or Stripe does not confirm. SmartPause retries.',
  ],
};

/** A newer server may know more kinds. */
export function problemWords(part: string): { what: string; then: string } {
  const [what, then] = Object.entries(WORDS).find(([known]) => known === part)?.[1] ?? [part, ''];
  return { what, then };
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
  deauthorized: 'Authorization revoked',
  deleted: 'Account deleted',
};

/** What the problem concerns; empty: the whole installation. */
export function problemName({ part, id, campaign, accountId, kind }: Problem): string {
  if (campaign !== null) return campaign.name ?? `Campaign ${campaign.id}`;
  if (accountId !== null) return accountId;
  if (part.startsWith('mail_')) {
    const words = Object.entries(MAIL_WORDS).find(([known]) => known === kind)?.[1] ?? kind ?? '';
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
