import { sql } from 'kysely';
import type { Mail } from '../../simulators/mailbox/mails.ts';
import { SETTLE_MS } from '../../src/core/notifications.ts';
import type { Db } from '../../src/server/db/database.ts';
import { noteStale } from '../../src/server/services/users/token-checks.ts';
import { advanceTo } from './due.ts';
import type { TestProduct } from './product.ts';
import type { World } from './world.ts';

type MailWorld = Pick<World, 'product' | 'simulators' | 'until' | 'advance'>;

/** When the outbox next has work for the address; null: never, as far as is known. */
async function nextDueAt(db: Db, address: string): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select min(at) as at from (
      select to_address, due_at from deliveries where due_at is not null
      union all
      select users.email, activities.created_at + ${SETTLE_MS} * interval '1 millisecond'
      from activities join users on users.id = user_id where pending_notification is not null
    ) as due(address, at) where lower(address) = ${address.toLowerCase()}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Sends what the outbox has for the address when it is due, or lets time pass. @returns whether it had something */
export async function sendNext(world: Pick<World, 'product' | 'advance'>, address: string): Promise<boolean> {
  const dueAt = await nextDueAt(world.product.app.db, address);
  if (dueAt === null) return false;
  const now = world.product.clock.now();
  await advanceTo(world, dueAt);
  await world.product.app.runTask('outbox');
  const isWaiting = dueAt <= now && (await nextDueAt(world.product.app.db, address)) === dueAt;
  if (isWaiting) await world.advance(SETTLE_MS);
  return true;
}

/** An email is due: the user's Meta connection expires soon. */
export async function queueMail({ app: { db }, clock }: TestProduct, platformUserId: string): Promise<void> {
  const { id, savedAt } = await db
    .selectFrom('users')
    .innerJoin('platformTokens', 'platformTokens.userId', 'users.id')
    .select(['users.id', 'platformTokens.savedAt'])
    .where('users.platformUserId', '=', platformUserId)
    .executeTakeFirstOrThrow();
  await noteStale(db, { userId: id, savedAt }, clock.now());
  clock.advance(SETTLE_MS);
}

/** Waits for the notification with that subject; time advances only to the due times of the address's rows. */
export async function nextMailTo(world: MailWorld, address: string, subject: RegExp): Promise<Mail> {
  return world.until(`a notification to ${address}: ${String(subject)}`, async () => {
    const notifications = await world.simulators.mailbox.messagesTo(address);
    const found = notifications.findLast((notification) => subject.test(notification.subject));
    if (found === undefined) await sendNext(world, address);
    return found;
  });
}

/** Sends everything that the outbox has for the address. @returns the subjects of all emails to the address, without the time of their outage */
export async function allMailTo(world: MailWorld, address: string): Promise<string[]> {
  await world.until('an empty outbox', async () => !(await sendNext(world, address)));
  return (await world.simulators.mailbox.messagesTo(address)).map(({ subject }) =>
    subject.replace(/ \(outage of \w+ \d+, [\d:]+ [AP]M EST\)$/, ''),
  );
}
