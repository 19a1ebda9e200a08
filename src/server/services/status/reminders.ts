import { REMINDER_MS, reminderDueAt } from '#core/notifications.ts';
import { outageOf } from '#core/outages/outage.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import { findLastReminders, findStillPaused } from '../../db/reports/notified-activities.ts';
import { findOutagesBetween } from '../../db/status/outages.ts';
import type { Needs } from '../deps.ts';

/**
 * One activity of each user for each outage whose campaigns have stayed paused for long. Two processes that find it due
 * store one.
 */
export async function remindOfPaused({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const paused = await findStillPaused(db, now - REMINDER_MS);
  if (paused.length === 0) return;
  const userIds = [...new Set(paused.map(({ userId }) => userId))];
  const reminders = Map.groupBy(await findLastReminders(db, userIds), ({ userId }) => userId);
  const outages = await findOutagesBetween(db, Math.min(...paused.map(({ decidedAt }) => decidedAt)), now);
  const byOutage = Map.groupBy(paused, (one) => `${one.userId} ${outageOf(outages, one)?.id ?? ''}`);
  const due = [...byOutage.values()].flatMap((own) => {
    const [first] = own;
    const since = earliest(own.map((one) => one.since));
    if (first === undefined || since === null) return [];
    const { userId } = first;
    const outage = outageOf(outages, first)?.id ?? null;
    const dueAt = reminderDueAt({ since, lastAt: lastAtOf(reminders.get(userId) ?? [], { outage, since }) });
    if (dueAt > now) return [];
    const facts = { since, dueAt, outage };
    return [{ userId, actor: 'smartpause', event: 'still_paused', facts } as const];
  });
  await recordActivities(db, due, now);
}

type Reminder = Awaited<ReturnType<typeof findLastReminders>>[number];

/** One of the former version named what had been paused for long enough. */
function lastAtOf(
  reminders: readonly Reminder[],
  { outage, since }: { outage: string | null; since: Instant },
): Instant | null {
  const own = reminders.filter((one) =>
    one.isOfAll ? one.at >= since + REMINDER_MS : one.outage === outage,
  );
  return own.length === 0 ? null : Math.max(...own.map(({ at }) => at));
}
