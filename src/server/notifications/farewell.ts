import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import type { SealedWords } from '../db/mails.ts';
import type { Leaving, Person } from '../db/users/people.ts';
import type { NamedAct } from '../db/reports/told.ts';
import { findOwnSubscriptions } from '../db/billing/subscriptions.ts';
import { findLetGo } from '../db/reports/told.ts';
import { deauthorizedMail, deletedMail } from './account.ts';
import { render } from './render.ts';

/** The last mail, worded while the facts are still there; null when there is no address to send it to. */
export async function wordFarewell(
  tx: Db,
  given: {
    person: Person;
    leaving: Leaving;
    confirmationCode: string | null;
    publicUrl: string;
    now: Instant;
    /** Given back on the way out, and not told yet. */
    resumed: readonly NamedAct[];
  },
): Promise<SealedWords | null> {
  const { person, leaving, confirmationCode, publicUrl, now, resumed } = given;
  if (person.email === null) return null;
  const letGo = await findLetGo(tx, person.id, leaving.since);
  const stranded = letGo
    .filter(({ reason }) => reason === 'access_lost')
    .map((act) => ({ ...act, at: act.pausedAt ?? act.at }));
  const { stripe } = await findOwnSubscriptions(tx, person.id);
  const subscribed = stripe === null ? null : stripe.renews ? 'renews' : 'was';
  const facts = { publicUrl, at: now, byMeta: leaving.by === 'meta', resumed, stranded, subscribed } as const;
  const mail =
    leaving.how === 'delete' ? deletedMail({ ...facts, confirmationCode }) : deauthorizedMail(facts);
  return { to: person.email, ...render(mail, publicUrl) };
}
