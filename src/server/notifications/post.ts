import { nextTryAt } from '#core/mails.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Mailer } from './channels/email.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { OutboxMail } from '../db/mails.ts';
import { claimDueMails, markFailed, markSent } from '../db/mails.ts';
import type { Log } from '../observability/log.ts';
import type { Rounds } from '../rounds.ts';
import { startRounds } from '../rounds.ts';
import { sealOpenMail } from './seal.ts';

export interface PostDeps {
  db: Db;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  publicUrl: string;
  /** What stands behind the @ of a Message-ID. */
  mailDomain: string;
  roll: () => number;
  /** The database has its hands full with campaigns that are to be paused or resumed. */
  isHurried: () => boolean;
  onTried?: (outcome: 'sent' | 'to_be_tried_again' | 'given_up') => void;
}

const EVERY_MS = seconds(2);
const AT_ONCE = 5;
/** Longer than so many tries can take, one after the other. */
const LEASE_MS = minutes(6);

/**
 * Empties the outbox: seals what is due, sends what is sealed, tries again what could not be sent. While the campaigns of very
 * many are paused or resumed there is one mail a round: each is a dozen statements, and campaigns go first.
 */
export function startPost(deps: PostDeps): Rounds {
  const { clock, log } = deps;
  return startRounds({ name: 'the post', everyMs: EVERY_MS, clock, log, run: () => sendAllDue(deps) });
}

export async function sendAllDue(deps: PostDeps): Promise<void> {
  for (;;) {
    const now = deps.clock.now();
    const atOnce = deps.isHurried() ? 1 : AT_ONCE;
    const mails = await claimDueMails(deps.db, atOnce, now + LEASE_MS, now);
    await Promise.all(inOrder(mails).map((ofOne) => sendOneByOne(deps, ofOne)));
    if (mails.length < AT_ONCE) return;
  }
}

/** What one person is written goes in the order in which it happened; different people do not wait for each other. */
function inOrder(mails: readonly OutboxMail[]): OutboxMail[][] {
  const oldestFirst = mails.toSorted((a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id));
  return [...Map.groupBy(oldestFirst, ({ personId, words, id }) => words?.to ?? personId ?? id).values()];
}

async function sendOneByOne(deps: PostDeps, mails: readonly OutboxMail[]): Promise<void> {
  for (const mail of mails) await sendSafely(deps, mail);
}

async function sendSafely(deps: PostDeps, mail: OutboxMail): Promise<void> {
  try {
    await sendOne(deps, mail);
  } catch (error) {
    // Its lease runs out, and it is due again.
    deps.log.error({ err: error, mail: mail.id, kind: mail.kind }, 'a mail could not be worked on');
  }
}

async function sendOne(deps: PostDeps, mail: OutboxMail): Promise<void> {
  const { db, clock, log, publicUrl } = deps;
  const words = mail.words ?? (await sealOpenMail(db, mail.id, { publicUrl, now: clock.now() }));
  if (words === null) return;
  const result = await deps.mailer.send({
    ...words,
    messageId: `<smartpause.${mail.id}.${mail.createdAt}@${deps.mailDomain}>`,
    writtenAt: mail.createdAt,
  });
  const now = clock.now();
  if (result.ok) {
    await markSent(db, mail, now);
    deps.onTried?.('sent');
    return;
  }
  const { error, isPermanent: isRefused } = result;
  const attempts = mail.attempts + 1;
  const retryAt = nextTryAt({ createdAt: mail.createdAt, attempts, isRefused, roll: deps.roll() }, now);
  await markFailed(db, mail, { error, retryAt }, now);
  deps.onTried?.(retryAt === null ? 'given_up' : 'to_be_tried_again');
  const details = { mail: mail.id, kind: mail.kind, attempts, error };
  if (retryAt === null) log.error(details, 'a mail was given up');
  else log.warn(details, 'a mail could not be sent and is tried again');
}
