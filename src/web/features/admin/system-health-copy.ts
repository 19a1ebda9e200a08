import type { SystemHealth } from '#contract/system-health.ts';
import { counted, figure } from '#core/labels.ts';

export type Part = keyof SystemHealth;

export interface PartCopy {
  name: string;
  /** The number. */
  value: string;
  /** What it means that this part needs attention. */
  problem: string;
}

/** Joins the counts; the later ones only if there are any. */
function counts(first: string, ...others: [count: number, what: string][]): string {
  const more = others.filter(([count]) => count > 0).map(([count, what]) => `${figure(count)} ${what}`);
  return [first, ...more].join(', ');
}

/** In the order of the card, widest impact first. */
const COPY: { [P in Part]: (found: SystemHealth[P]) => PartCopy } = {
  statusPage: ({ readAt, trouble, missing }) => ({
    name: 'Meta’s status page',
    value: readAt === null ? 'Never read' : 'Last read',
    problem: [
      'No new campaigns are paused until it can be read. Scheduled resumes happen on time.',
      missing.length === 0 ? '' : ` Not found or not understood: ${missing.join(', ')}.`,
      trouble === null ? '' : ` Last error: ${trouble}`,
    ].join(''),
  }),
  queue: ({ due }) => ({
    name: 'Work queue',
    value: `${counted(due, 'ad account')} due`,
    problem: 'Ad accounts wait for Meta, the database or a worker.',
  }),
  accounts: ({ failing }) => ({
    name: 'Ad accounts',
    value: `${figure(failing)} failing`,
    problem: 'The last read or write failed. Campaigns there may run on or stay paused.',
  }),
  holds: ({ pausing, paused, resuming, notResumable }) => ({
    name: 'Paused campaigns',
    value: counts(
      `${figure(paused)} paused`,
      [pausing, 'pausing'],
      [resuming, 'resuming'],
      [notResumable, 'can’t be resumed now'],
    ),
    problem: 'Their user must log in, lacks access, or Meta’s rate limit blocks the account.',
  }),
  writes: ({ unconfirmed }) => ({
    name: 'Pauses and resumes',
    value: `${figure(unconfirmed)} unconfirmed`,
    problem: 'Meta has not confirmed a change. SmartPause reads the campaign, then finishes.',
  }),
  tokens: ({ refused, undecryptable }) => ({
    name: 'Meta tokens',
    value: counts(`${figure(refused)} rejected`, [undecryptable, 'can’t be decrypted']),
    problem:
      undecryptable > 0
        ? 'ENCRYPTION_KEY lacks a key. Restore it, or those users must log in again.'
        : 'Their users aren’t protected until they log in again.',
  }),
  emails: ({ waiting, retried, failed }) => ({
    name: 'Emails',
    value: counts(`${figure(waiting)} waiting`, [retried, 'refused'], [failed, 'abandoned today']),
    problem: 'SmartPause retries for up to five days. The user of an abandoned email was not informed.',
  }),
  subscriptions: ({ failing }) => ({
    name: 'Subscriptions',
    value: `${figure(failing)} not read`,
    problem: 'Stripe doesn’t return them. They keep their last known state.',
  }),
  webhooks: ({ failing }) => ({
    name: 'Webhooks',
    value: `${figure(failing)} rejected`,
    problem: 'Check Stripe’s webhook secret and the secret of the Meta app.',
  }),
  leaving: ({ users, failing }) => ({
    name: 'Leaving users',
    value: counts(`${figure(users)} leaving`, [failing, 'failing']),
    problem: 'Meta or Stripe hasn’t confirmed a deauthorization or deletion.',
  }),
};

export const PARTS = Object.keys(COPY) as Part[];

export function partCopy<P extends Part>(part: P, found: SystemHealth[P]): PartCopy {
  return COPY[part](found);
}
