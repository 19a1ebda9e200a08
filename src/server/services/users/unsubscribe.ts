import type { DestinationEvent } from '#core/destination-events.ts';
import type { Instant } from '#core/time.ts';
import { settingsChanges } from '#core/outages/activity-text.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { changeDestination, findDestination } from '../../db/destinations.ts';
import type { User } from '../../db/users/users.ts';
import { findUser, lockUser, turnUserSummaryOff } from '../../db/users/users.ts';
import type { SummaryRecipient } from '../../notifications/unsubscribe-link.ts';
import { readSummaryLink } from '../../notifications/unsubscribe-link.ts';
import type { Needs } from '../deps.ts';

const SUMMARY: DestinationEvent = 'monthly_summary';

/** Whether the recipient of a link gets the monthly summary. It changes nothing. Null: the link has no recipient. */
export async function hasSummary(deps: Needs<'db' | 'cipher'>, link: string): Promise<boolean | null> {
  const of = readSummaryLink(deps.cipher, link);
  return of === null ? null : isOn(deps.db, of);
}

/** Turns it off. Repeats do nothing. @returns false: the link has no recipient */
export async function turnSummaryOff(deps: Needs<'db' | 'cipher' | 'clock'>, link: string): Promise<boolean> {
  const of = readSummaryLink(deps.cipher, link);
  if (of === null) return false;
  return inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, of.userId);
    const before = user === null ? null : await isOn(tx, of);
    if (user === null || before === null) return false;
    if (before) await turnOff(deps, tx, { user, of, now: deps.clock.now() });
    return true;
  });
}

/** Null: the user or their destination is gone. */
async function isOn(db: Db, { userId, destinationId }: SummaryRecipient): Promise<boolean | null> {
  if (destinationId === null) return (await findUser(db, userId))?.hasMonthlySummary ?? null;
  const destination = await findDestination(db, destinationId);
  return destination?.userId === userId ? destination.events.includes(SUMMARY) : null;
}

async function turnOff(
  { cipher }: Needs<'cipher'>,
  tx: Db,
  { user, of, now }: { user: User; of: SummaryRecipient; now: Instant },
): Promise<void> {
  const own = { userId: user.id, actor: 'user' } as const;
  const destination = of.destinationId === null ? null : await findDestination(tx, of.destinationId);
  if (destination === null) {
    const after = { ...user, hasMonthlySummary: false };
    await turnUserSummaryOff(tx, user.id);
    const facts = { changes: settingsChanges(user, after) };
    await recordActivities(tx, [{ ...own, event: 'settings', facts }], now);
    return;
  }
  const events = destination.events.filter((event) => event !== SUMMARY);
  await changeDestination(tx, cipher, destination, { events });
  const facts = { kind: destination.kind, destination: destination.name, what: 'summary_off' } as const;
  await recordActivities(tx, [{ ...own, event: 'destination_changed', facts }], now);
}
