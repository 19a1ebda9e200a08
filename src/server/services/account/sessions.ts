import { Refusal } from '#contract/errors.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import type { User } from '../../db/users/users.ts';
import { endSession, endSessionsOf, listSessions } from '../../db/users/sessions.ts';
import type { Needs } from '../deps.ts';

export async function getSessions(deps: Needs<'db' | 'clock'>, user: User, ownSessionId: string) {
  const sessions = await listSessions(deps.db, user.id, deps.clock.now());
  return sessions.map((session) => ({ ...session, isCurrent: session.id === ownSessionId }));
}

/** Ends one of the user's own sessions, also the current one. */
export async function endOwnSession(
  deps: Needs<'db' | 'clock'>,
  user: User,
  sessionId: string,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const ended = await endSession(tx, user.id, sessionId);
    if (ended === null) throw new Refusal('SESSION_NOT_FOUND');
    const message = `A session was ended: ${ended.device}.`;
    await recordSessionsEnded(deps, tx, { user, message });
  });
}

export async function endOtherSessions(
  deps: Needs<'db' | 'clock'>,
  user: User,
  ownSessionId: string,
): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const listed = await listSessions(tx, user.id, deps.clock.now());
    const count = listed.filter(({ id }) => id !== ownSessionId).length;
    await endSessionsOf(tx, user.id, ownSessionId);
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
    const ended = await endSession(tx, user.id, sessionId);
    if (ended === null) return;
    const message = isReplaced
      ? `An earlier session of ${user.name} in the same browser was ended: ${ended.device}.`
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
