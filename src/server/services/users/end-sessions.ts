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
    const ended = { userId, actor: 'user', event: 'other_sessions_ended', facts: {} } as const;
    if (count > 0) await recordActivities(tx, [ended], now);
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
    const event = isReplaced ? 'session_replaced' : 'logout';
    await recordActivities(tx, [{ userId, actor: 'user', event, facts: { name } }], clock.now());
  });
}
