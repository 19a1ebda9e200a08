import type { SystemHealth } from '#contract/system-health.ts';
import { figure } from '#core/labels.ts';

export type Part = keyof SystemHealth;

interface PartCopy {
  name: string;
  /** What it means that this part needs attention. */
  problem: string;
}

/** Widest impact first. */
export const PARTS: Record<Part, PartCopy> = {
  statusPage: {
    name: 'Meta’s status page',
    problem: 'No new campaigns are paused until it can be read. Scheduled resumes happen on time.',
  },
  queue: {
    name: 'Work queue',
    problem: 'Ad accounts wait for Meta, the database or a worker.',
  },
  accounts: {
    name: 'Ad accounts',
    problem: 'The last read or write failed. Campaigns there may run on or stay paused.',
  },
  holds: {
    name: 'Paused campaigns',
    problem: 'Their user must log in, lacks access, or Meta’s rate limit blocks the account.',
  },
  writes: {
    name: 'Pauses and resumes',
    problem: 'Meta has not confirmed a change. SmartPause reads the campaign, then finishes.',
  },
  tokens: {
    name: 'Meta tokens',
    problem:
      'Their users aren’t protected until they log in again. If tokens can’t be decrypted, restore the missing key in ENCRYPTION_KEY.',
  },
  emails: {
    name: 'Emails',
    problem: 'SmartPause retries for up to five days. The user of an abandoned email was not informed.',
  },
  subscriptions: {
    name: 'Subscriptions',
    problem: 'Stripe doesn’t return them. They keep their last known state.',
  },
  leaving: {
    name: 'Leaving users',
    problem: 'Meta or Stripe hasn’t confirmed a deauthorization or deletion.',
  },
};

/** What is counted, where its name does not say it. */
const COUNTS: Record<string, string> = {
  notResumable: 'can’t be resumed now',
  refused: 'rejected',
  undecryptable: 'can’t be decrypted',
  retried: 'refused',
  failed: 'abandoned today',
  users: 'leaving',
};

/** '5,000 paused, 1 resuming'. */
export function countsOf(found: SystemHealth[Part]): string {
  const counts = Object.entries(found).flatMap(([name, count]) =>
    typeof count === 'number' && count > 0 ? [`${figure(count)} ${COUNTS[name] ?? name}`] : [],
  );
  return counts.join(', ') || 'None';
}
