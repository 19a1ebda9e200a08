import type { Instant } from '#core/time.ts';
import { recordActivities } from '../db/activities.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { ClaimedDelivery } from '../db/deliveries.ts';
import { clearRefused, markRefused } from '../db/users/email-links.ts';

/** The mail server refuses the user's own address for good: the user learns it on the page and through their destinations. */
export async function noteRefused(
  db: Db,
  { userId, toAddress }: ClaimedDelivery,
  now: Instant,
): Promise<void> {
  if (userId === null || toAddress === null) return;
  await inTransaction(db, async (tx) => {
    if (!(await markRefused(tx, userId, toAddress, now))) return;
    const refused = { userId, actor: 'smartpause', event: 'address_refused', facts: {} } as const;
    await recordActivities(tx, [refused], now);
  });
}

/** An email has arrived after all. */
export async function noteAccepted(
  db: Db,
  { userId, toAddress, wasRefused }: ClaimedDelivery,
): Promise<void> {
  if (wasRefused && userId !== null && toAddress !== null) await clearRefused(db, userId, toAddress);
}
