import { minutes } from '#core/time.ts';
import type { Instant } from '#core/time.ts';
import { lastActs, waitForMore } from '#core/mails.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { OutboxMail, SealedWords } from '../db/mails.ts';
import {
  dropMail,
  findOpenMails,
  hasSealedSince,
  lockWordless,
  postponeMail,
  sealMail,
} from '../db/mails.ts';
import type { Person } from '../db/users/people.ts';
import { findPerson } from '../db/users/people.ts';
import { readStatus } from '../db/status/status.ts';
import type { NamedAct } from '../db/reports/told.ts';
import { findInState, findToldActs, retell } from '../db/reports/told.ts';
import { compose } from './compose.ts';
import { render } from './render.ts';

/** A mail of the same kind within this time makes the next one a later one, which may wait longer. */
const FOLLOW_UP_MS = minutes(60);

/**
 * Puts an open mail into words, unless more is about to join it; and anew one that was given up and is to be tried again, since
 * its words were not kept. Null: not now, or nothing to tell.
 */
export async function sealOpenMail(
  db: Db,
  id: string,
  given: { publicUrl: string; now: Instant },
): Promise<SealedWords | null> {
  return inTransaction(db, async (tx) => {
    const mail = await lockWordless(tx, id);
    if (mail === null) return null;
    const person = mail.personId === null ? null : await findPerson(tx, mail.personId);
    if (person === null) {
      await dropMail(tx, id);
      return null;
    }
    const unfinished = await findUnfinished(tx, mail, person, given.now);
    const waitUntil = waitForMore(
      {
        openedAt: mail.createdAt,
        unfinished: unfinished.length,
        isFollowUp: await isFollowUp(tx, mail, person),
      },
      given.now,
    );
    if (waitUntil !== null) {
      await postponeMail(tx, id, waitUntil);
      return null;
    }
    if (mail.kind === 'resumed') await absorbDisabled(tx, mail, person);
    return wordAndSeal(tx, { mail, person, unfinished, ...given });
  });
}

/**
 * Before a person's data goes: what is still to be told is put into words and is due now. Except what was given back
 * on the way out: the farewell tells that, and it is the last mail.
 */
export async function sealAllOf(
  tx: Db,
  person: Person,
  given: { publicUrl: string; now: Instant },
): Promise<{ untold: string | null; resumed: NamedAct[] }> {
  const mails = await findOpenMails(tx, person.id);
  const untold = mails.find(({ kind }) => kind === 'resumed') ?? null;
  for (const mail of mails.filter((one) => one !== untold)) {
    const unfinished = await findUnfinished(tx, mail, person, given.now);
    const words = await wordAndSeal(tx, { mail, person, unfinished, ...given });
    if (words !== null) await postponeMail(tx, mail.id, given.now);
  }
  if (untold === null) return { untold, resumed: [] };
  const acts = lastActs(await findToldActs(tx, untold.id));
  // Without its person nothing keeps it; the farewell of somebody who stays known takes its acts over.
  await postponeMail(tx, untold.id, null);
  return { untold: untold.id, resumed: acts.filter(({ event }) => event === 'resumed') };
}

/** Changes by hand that were noticed only now are told together with the resume that they were left out of. */
async function absorbDisabled(tx: Db, mail: OutboxMail, person: Person): Promise<void> {
  const open = await findOpenMails(tx, person.id);
  const disabled = open.find(({ kind }) => kind === 'disabled');
  if (disabled !== undefined) await retell(tx, disabled.id, mail.id);
}

async function wordAndSeal(
  tx: Db,
  given: { mail: OutboxMail; person: Person; unfinished: string[]; publicUrl: string; now: Instant },
): Promise<SealedWords | null> {
  const { mail, person, publicUrl, now } = given;
  const composed = await compose(tx, given);
  if (composed === null || person.email === null) {
    await dropMail(tx, mail.id);
    return null;
  }
  const words = { to: person.email, ...render(composed, publicUrl) };
  await sealMail(tx, mail.id, words, now);
  return words;
}

/** Campaigns with an act of the email's kind that is decided and not done yet. */
async function findUnfinished(tx: Db, mail: OutboxMail, person: Person, now: Instant): Promise<string[]> {
  if (mail.kind === 'paused') return findInState(tx, person.id, ['pausing']);
  if (mail.kind !== 'resumed') return [];
  const dueAt = person.leaving === null ? resumeAt(await readStatus(tx), person) : now;
  return findInState(tx, person.id, dueAt !== null && dueAt <= now ? ['resuming', 'paused'] : ['resuming']);
}

async function isFollowUp(tx: Db, mail: OutboxMail, person: Person): Promise<boolean> {
  return hasSealedSince(tx, { personId: person.id, kind: mail.kind, since: mail.createdAt - FOLLOW_UP_MS });
}
