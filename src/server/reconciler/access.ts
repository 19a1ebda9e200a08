import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../db/activities.ts';
import type { Db } from '../db/database.ts';
import { date } from '../db/database.ts';
import { areWritesBlocked } from '../db/blocked-writes.ts';

export interface Access {
  userId: string;
  accountId: string;
}

/** Meta refuses all changes of the user in the ad account until then; null: it accepts them again. */
export async function blockWrites(
  tx: Db,
  { userId, accountId }: Access,
  until: Instant | null,
  now: Instant,
): Promise<void> {
  const before = await tx
    .selectFrom('adAccounts as a')
    .select(areWritesBlocked(now).as('isBlocked'))
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  await tx
    .updateTable('adAccounts')
    .set({ writesBlockedUntil: date(until) })
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .execute();
  if (until === null || before?.isBlocked !== false) return;
  const message = 'Meta refuses changes until you confirm your account in Ads Manager.';
  const about = { userId, accountId, actor: 'meta', type: 'other' } as const;
  await recordActivities(tx, [{ ...about, event: 'account_blocked', message }], now);
}

/** Only this user can resume what is paused there: one activity for the oldest of these holds. */
export async function noteStranded(db: Db, { userId, accountId }: Access, now: Instant): Promise<void> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from holds where user_id = ${userId} and account_id = ${accountId}
      and state <> 'ended' and paused_at is not null`.execute(db);
  const oldest = rows[0]?.id ?? null;
  if (oldest === null) return;
  const message = 'Meta denies SmartPause access to the ad account, where campaigns stay paused.';
  const about = { userId, accountId, actor: 'meta', type: 'other', event: 'account_lost' } as const;
  await recordActivities(db, [{ ...about, message, reason: `hold ${oldest}` }], now);
}
