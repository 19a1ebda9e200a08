import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import type { User } from '../../db/users/users.ts';
import * as sessions from '../../db/users/sessions.ts';
import type { Needs } from '../deps.ts';

/** @returns how many have ended */
export async function endOtherSessions(
  { db, clock }: Needs<'db' | 'clock'>,
  { id: userId }: User,
  ownSessionId: string,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const now = clock.now();
    const count = await sessions.endOtherSessions(tx, { userId, keep: ownSessionId }, now);
    const activity = { ...about(userId), message: 'All other sessions were ended.' };
    if (count > 0) await recordActivities(tx, [activity], now);
    return count;
  });
}

/** @param isReplaced another login in the same browser has replaced this session */
export async function logout(
  { db, clock }: Needs<'db' | 'clock'>,
  { id: userId, name }: User,
  { sessionId, isReplaced }: { sessionId: string; isReplaced: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await sessions.endSession(tx, userId, sessionId))) return;
    const message = isReplaced
      ? `An earlier session of ${name} in the same browser was ended.`
      : `${name} logged out.`;
    await recordActivities(tx, [{ ...about(userId), message }], clock.now());
  });
}

function about(userId: string) {
  return { userId, actor: 'user', type: 'login', event: 'logout' } as const;
}
