import type { SystemHealth } from '#contract/system-health.ts';
import { counted, figure } from '#core/labels.ts';

export type Part = keyof SystemHealth;

/** In the order of the card, widest impact first. */
export const PARTS = [
  'statusPage',
  'queue',
  'accounts',
  'holds',
  'writes',
  'tokens',
  'emails',
  'subscriptions',
  'webhooks',
  'leaving',
] as const satisfies readonly Part[];

export interface PartCopy {
  name: string;
  /** The number. */
  value: string;
  meaning: string;
  /** What is known about the cause. */
  detail?: string;
}

/** Joins the counts; the later ones only if there are any. */
function counts(first: string, ...others: [count: number, what: string][]): string {
  const more = others.filter(([count]) => count > 0).map(([count, what]) => `${figure(count)} ${what}`);
  return [first, ...more].join(', ');
}

const COPY: { [P in Part]: (found: SystemHealth[P]) => PartCopy } = {
  statusPage: ({ needsAttention, readAt, trouble, missing }) => {
    const details = [
      missing.length === 0 ? null : `Not found or not understood: ${missing.join(', ')}.`,
      trouble === null ? null : `Last error: ${trouble}`,
    ].filter((detail) => detail !== null);
    return {
      name: 'Meta’s status page',
      value: readAt === null ? 'Never read' : 'Last read',
      meaning: needsAttention
        ? 'No new campaigns are paused until it can be read. Scheduled resumes happen on time.'
        : 'It is read and understood.',
      ...(needsAttention && details.length > 0 && { detail: details.join(' ') }),
    };
  },
  queue: ({ needsAttention, due }) => ({
    name: 'Work queue',
    value: `${counted(due, 'ad account')} due`,
    meaning: needsAttention
      ? 'Ad accounts wait for Meta, the database or a worker.'
      : 'Work begins within a minute.',
  }),
  accounts: ({ needsAttention, failing }) => ({
    name: 'Ad accounts',
    value: `${figure(failing)} failing`,
    meaning: needsAttention
      ? 'The last read or write failed. Campaigns there may run on or stay paused.'
      : 'The last read and write of each account succeeded.',
  }),
  holds: ({ needsAttention, pausing, paused, resuming, notResumable }) => ({
    name: 'Paused campaigns',
    value: counts(
      `${figure(paused)} paused`,
      [pausing, 'pausing'],
      [resuming, 'resuming'],
      [notResumable, 'can’t be resumed now'],
    ),
    meaning: needsAttention
      ? 'Their user must log in, lacks access, or Meta’s rate limit blocks the account.'
      : 'All of them can be resumed.',
  }),
  writes: ({ needsAttention, unconfirmed }) => ({
    name: 'Pauses and resumes',
    value: `${figure(unconfirmed)} unconfirmed`,
    meaning: needsAttention
      ? 'Meta has not confirmed a change. SmartPause reads the campaign, then finishes.'
      : 'Meta confirmed every change.',
  }),
  tokens: ({ needsAttention, refused, undecryptable }) => ({
    name: 'Meta tokens',
    value: counts(`${figure(refused)} rejected`, [undecryptable, 'can’t be decrypted']),
    meaning:
      undecryptable > 0
        ? 'ENCRYPTION_KEY lacks a key. Restore it, or those users must log in again.'
        : needsAttention
          ? 'Their users aren’t protected until they log in again.'
          : 'Meta accepts the tokens of all subscribers with SmartPause on.',
  }),
  emails: ({ needsAttention, waiting, retried, failed }) => ({
    name: 'Emails',
    value: counts(`${figure(waiting)} waiting`, [retried, 'refused'], [failed, 'abandoned today']),
    meaning: needsAttention
      ? 'SmartPause retries for up to five days. The user of an abandoned email was not informed.'
      : 'The mail server accepts them.',
  }),
  subscriptions: ({ needsAttention, failing }) => ({
    name: 'Subscriptions',
    value: `${figure(failing)} not read`,
    meaning: needsAttention
      ? 'Stripe doesn’t return them. They keep their last known state.'
      : 'Stripe returns them.',
  }),
  webhooks: ({ needsAttention, failing }) => ({
    name: 'Webhooks',
    value: `${figure(failing)} rejected`,
    meaning: needsAttention
      ? 'Check Stripe’s webhook secret and the secret of the Meta app.'
      : 'This process rejected no webhook of Stripe or Meta.',
  }),
  leaving: ({ needsAttention, users, failing }) => ({
    name: 'Leaving users',
    value: counts(`${figure(users)} leaving`, [failing, 'failing']),
    meaning: needsAttention
      ? 'Meta or Stripe hasn’t confirmed a deauthorization or deletion.'
      : 'Deauthorizations and deletions succeed.',
  }),
};

export function partCopy<P extends Part>(part: P, found: SystemHealth[P]): PartCopy {
  return COPY[part](found);
}

/** Since when; null: the part has no such time. */
export function timeOf(health: SystemHealth, part: Part): string | null {
  return part === 'statusPage' ? health.statusPage.readAt : health[part].oldest;
}
