import type { FailingPart } from '#contract/failing.ts';
import { counted } from '#core/words.ts';

const accounts = (count: number | null): string => counted(count ?? 0, 'ad account');

/** What fails, and what that means for the advertisers. */
export interface FailingWords {
  what: string;
  then: string;
}

const WORDS: Record<FailingPart, (count: number | null) => FailingWords> = {
  database: () => ({
    what: 'The database is slow, or does not answer',
    then: 'Calls are refused and nothing is paused or resumed until it answers.',
  }),
  meta: () => ({
    what: 'Meta’s ad platform answers nobody',
    then: 'Pauses and resumes wait. It is tried every few seconds, and they are done once it answers.',
  }),
  status_page: () => ({
    what: 'Meta’s status page cannot be read',
    then: 'The status is unknown: no campaign is newly paused. Scheduled resumes happen on time.',
  }),
  stripe: () => ({
    what: 'Stripe does not do what it is asked',
    then: 'Subscriptions stay as they were last known, and are read again.',
  }),
  tokens_closed: (count) => ({
    what: `${counted(count ?? 0, 'token')} of Meta cannot be opened`,
    then: 'ENCRYPTION_KEY no longer holds the key. These people have to log in again, or the key has to come back.',
  }),
  accounts_behind: (count) => ({
    what: `${accounts(count)} should have been looked at more than a minute ago`,
    then: 'They wait for Meta or the database, or there is no process that does the work.',
  }),
  accounts_failing: (count) => ({
    what: `Work in ${accounts(count)} failed at the last try`,
    then: 'It is tried again by itself.',
  }),
  accounts_limited: (count) => ({
    what: `Meta’s limit is used up for ${accounts(count)}`,
    then: 'They are left alone until Meta takes calls for them again.',
  }),
  holds_in_doubt: (count) => ({
    what: `Meta has not confirmed the pause or resume of ${counted(count ?? 0, 'campaign')}`,
    then: 'Each is read first, and then finished.',
  }),
  mail_waiting: (count) => ({
    what: `${counted(count ?? 0, 'mail')} could not be sent yet`,
    then: 'It is tried again for up to five days.',
  }),
  mail_given_up: (count) => ({
    what: `${counted(count ?? 0, 'mail')} given up in the last seven days`,
    then: 'These people were not told.',
  }),
  readings_failing: (count) => ({
    what: `Stripe did not tell of ${counted(count ?? 0, 'subscription')}`,
    then: 'They stay as they were last known, webhooks included, and are read again.',
  }),
  leaving_failing: (count) => ({
    what: `${counted(count ?? 0, 'account')} cannot be closed yet`,
    then: 'Meta or Stripe does not let us finish. It is tried again, ever more seldom.',
  }),
};

/** @param part may be one that only a newer server knows of */
export function failingWords(part: string, count: number | null): FailingWords {
  const words = Object.entries(WORDS).find(([known]) => known === part)?.[1];
  return words?.(count) ?? { what: part, then: '' };
}
