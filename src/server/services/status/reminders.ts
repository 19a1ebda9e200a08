import { REMINDER_MS, reminderDueAt } from '#core/notifications.ts';
import { recordActivities } from '../../db/activities.ts';
import { findStillPaused } from '../../db/reports/notified-activities.ts';
import type { Needs } from '../deps.ts';

/** One activity of each user whose campaigns have stayed paused for long. Two processes that find it due store one. */
export async function remindOfPaused({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const users = await findStillPaused(db, now - REMINDER_MS);
  const due = users.flatMap(({ userId, since, lastAt }) => {
    const dueAt = reminderDueAt({ since, lastAt });
    if (dueAt > now) return [];
    return [{ userId, actor: 'smartpause', event: 'still_paused', facts: { since, dueAt } } as const];
  });
  await recordActivities(db, due, now);
}
