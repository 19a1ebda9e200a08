import { isSuspended } from '#core/app-state.ts';
import { HELD_UP_MS } from '#core/notifications.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import { recordActivities } from '../../db/activities.ts';
import { findUntold, findWaiting, readAppStoppedSince } from '../../db/reports/held-up.ts';
import { readStatus } from '../../db/status/status.ts';
import type { Needs } from '../deps.ts';

const ACCOUNTS_AT_ONCE = 1000;

/** While Meta refuses our app: one activity for each ad account where resumes are due. Nothing is sent that could tell of them. */
export async function noteHeldUp({ db, clock, app }: Needs<'db' | 'clock' | 'app'>): Promise<void> {
  if (!isSuspended(app.stopped())) return;
  const since = await readAppStoppedSince(db);
  if (since === null) return;
  const now = clock.now();
  const status = await readStatus(db);
  const due = (await findUntold(db, since)).filter(({ thresholds, resume, timeZone, isAsked, isLeaving }) => {
    const dueAt = thresholds.map(
      (threshold) => resumeAt(status, { threshold, resume, timeZone }) ?? Infinity,
    );
    return isAsked || isLeaving || Math.min(...dueAt) + HELD_UP_MS <= now;
  });
  const waiting = await findWaiting(db, due.slice(0, ACCOUNTS_AT_ONCE));
  const activities = waiting.map(({ userId, accountId, campaignId: id, name, holdId }) => ({
    ...({ userId, accountId, actor: 'smartpause', event: 'held_up' } as const),
    ...{ facts: { accountId, since }, campaign: { id, name, holdId } },
  }));
  await recordActivities(db, activities, now);
}
