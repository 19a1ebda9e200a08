import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import type { User } from '../../db/users/users.ts';
import { endSession, endSessionsOf } from '../../db/users/sessions.ts';
import type { Needs } from '../deps.ts';

export async function endOtherSessions(
  deps: Needs<'db' | 'clock'>,
  user: User,
  ownSessionId: string,
): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const count = await endSessionsOf(tx, { userId: user.id, keep: ownSessionId }, deps.clock.now());
    if (count > 0) await recordSessionsEnded(deps, tx, { user, message: 'All other sessions were ended.' });
    return count;
  });
}

/** @param isReplaced another login in the same browser has replaced this session */
export async function logout(
  deps: Needs<'db' | 'clock'>,
  user: User,
  { sessionId, isReplaced }: { sessionId: string; isReplaced: boolean },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (!(await endSession(tx, user.id, sessionId))) return;
    const message = isReplaced
      ? `An earlier session of ${user.name} in the same browser was ended.`
      : `${user.name} logged out.`;
    await recordSessionsEnded(deps, tx, { user, message });
  });
}

async function recordSessionsEnded(
  deps: Needs<'clock'>,
  tx: Db,
  { user, message }: { user: User; message: string },
): Promise<void> {
  const activity = { userId: user.id, actor: 'user', type: 'login', event: 'logout', message } as const;
  await recordActivities(tx, [activity], deps.clock.now());
}
