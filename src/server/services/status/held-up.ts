import { isSuspended } from '#core/app-state.ts';
import { HELD_UP_MS } from '#core/notifications.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { resumeWithin } from '#core/smartpause/other-schedule.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import { statusFor, wordOf } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { UntoldGroup } from '../../db/reports/held-up.ts';
import { findUntold, findWaiting, markHeldUp, readAppStoppedSince } from '../../db/reports/held-up.ts';
import { findActing } from '../../db/signals.ts';
import { readStatus } from '../../db/status/status.ts';
import type { Needs } from '../deps.ts';

const GROUPS_AT_ONCE = 1000;
const AT_ONCE = { resume: { mode: 'instant' }, timeZone: null } as const;

/** While Meta refuses our app: an activity for each hold whose resume is due. Nothing is sent that could tell of it. */
export async function noteHeldUp({ db, clock, app }: Needs<'db' | 'clock' | 'app'>): Promise<void> {
  if (!isSuspended(app.stopped())) return;
  const [since, now] = [await readAppStoppedSince(db), clock.now()];
  if (since === null || now < since + HELD_UP_MS) return;
  const status = await readStatus(db);
  const isOver = (dueAt: Instant | null): boolean => dueAt !== null && dueAt + HELD_UP_MS <= now;
  const thresholds = THRESHOLDS.filter((threshold) => isOver(resumeAt(status, { threshold, ...AT_ONCE })));
  const found = await findUntold(db, { since, thresholds });
  const acting = await findActing(db, [...new Set(found.map(({ userId }) => userId))], {
    now,
    matchBegan: null,
  });
  // Their own word, or an early warning, may keep the campaigns of these users paused.
  const groups = found.filter(({ isAsked, isLeaving, userId, ...choice }) => {
    const signals = acting.get(userId) ?? [];
    const isDue = wordOf(signals, now) === null && isOver(resumeAt(statusFor(status, signals, now), choice));
    return isAsked || isLeaving || isDue;
  });
  for (let done = 0; done < groups.length; done += GROUPS_AT_ONCE)
    await note(db, { groups: groups.slice(done, done + GROUPS_AT_ONCE), since, now });
}

async function note(
  db: Db,
  { groups, since, now }: { groups: readonly UntoldGroup[]; since: Instant; now: Instant },
): Promise<void> {
  const leaving = new Set(groups.flatMap(({ isLeaving, userId }) => (isLeaving ? userId : [])));
  const waiting = (await findWaiting(db, groups, since)).filter(
    ({ schedule, isAsked, userId }) =>
      schedule === null || isAsked || leaving.has(userId) || resumeWithin(schedule, now) <= now,
  );
  if (waiting.length === 0) return;
  await inTransaction(db, async (tx) => {
    const told = await markHeldUp(
      tx,
      waiting.map(({ holdId }) => holdId),
      since,
    );
    const activities = waiting
      .filter(({ holdId }) => told.has(holdId))
      .map(({ userId, accountId, campaignId: id, name, holdId }) => ({
        ...({ userId, accountId, actor: 'smartpause', event: 'held_up' } as const),
        ...{ facts: { since }, campaign: { id, name, holdId } },
      }));
    await recordActivities(tx, activities, now);
  });
}
