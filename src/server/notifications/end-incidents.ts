import { INCIDENT_KIND, isIncidentOver } from '#core/destinations.ts';
import { accessState } from '#core/platform-access.ts';
import { notResumed } from '#core/reconciler/refusals.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { OpenIncident } from '../db/incidents.ts';
import { findIncidents, markEnding } from '../db/incidents.ts';
import { storeNotification } from '../db/notifications.ts';
import { findRefusedResumes } from '../db/holds/not-resumed.ts';
import { findTokens } from '../db/users/tokens.ts';
import { lockUserForNotification } from '../db/users/users.ts';
import { incidentOver } from './templates/incident-over.ts';

/** Ends the incidents that no notification has ended: its events are not wanted, or it is about another outage. */
export async function endIncidents({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now();
  const users = new Set((await findOver(db, null, now)).map(({ userId }) => userId));
  for (const userId of users)
    await inTransaction(db, async (tx) => {
      await lockUserForNotification(tx, userId);
      for (const { destinationId, about } of await findOver(tx, userId, now)) {
        await markEnding(tx, [{ destinationId, about }]);
        const recipients = [{ channel: INCIDENT_KIND, toAddress: null, destinationId }] as const;
        const message = incidentOver(about, now);
        const ended = { userId, kind: 'incident_over', message, recipients, activityIds: [] } as const;
        await storeNotification(tx, ended, now);
      }
    });
}

async function findOver(db: Db, userId: string | null, now: Instant): Promise<OpenIncident[]> {
  const open = await findIncidents(db, userId, now);
  const userIds = [...new Set(open.map((one) => one.userId))];
  const tokens = await findTokens(db, userIds);
  const refused = Map.groupBy(await findRefusedResumes(db, userIds, now), (one) => one.userId);
  return open.filter((one) => {
    const access = accessState(tokens.get(one.userId) ?? null, now);
    const left = [...notResumed(refused.get(one.userId) ?? [], now).values()];
    const isPaused = one.isPaused || left.some(({ decidedAt }) => decidedAt >= one.since);
    return isIncidentOver(one.about, { ...one, access, isPaused });
  });
}
