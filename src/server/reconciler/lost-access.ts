import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import { transferHolds } from '../db/holds/transfer.ts';
import { addNotifications } from '../db/notifications.ts';
import { findUser } from '../db/users/users.ts';

export interface Access {
  userId: string;
  accountId: string;
}

/**
 * Meta no longer lets this user access the ad account. The holds move to another user with access.
 * Without one, this user gets one notification, because only they can regain access.
 */
export async function loseAccess(tx: Db, lost: Access, now: Instant): Promise<void> {
  const { userId, accountId } = lost;
  await tx
    .updateTable('adAccounts')
    .set({ lostAt: new Date(now) })
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .where('lostAt', 'is', null)
    .execute();
  await transferHolds(tx, lost, now);
  const stranded = await findOldestStranded(tx, lost);
  if (stranded === null) return;
  const user = await findUser(tx, userId);
  // The farewell email covers users who are leaving.
  if (user?.leaving !== null) return;
  const event = `account:${accountId}:${stranded}`;
  await addNotifications(tx, { userIds: [userId], kind: 'account_lost', event }, now);
}

async function findOldestStranded(tx: Db, { userId, accountId }: Access): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from holds where user_id = ${userId} and account_id = ${accountId}
      and state <> 'ended' and paused_at is not null and resumed_at is null`.execute(tx);
  return rows[0]?.id ?? null;
}

export async function regainAccess(tx: Db, { userId, accountId }: Access): Promise<void> {
  await tx
    .updateTable('adAccounts')
    .set({ lostAt: null })
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .execute();
}
