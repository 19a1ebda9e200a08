import { Refusal } from '#contract/errors.ts';
import type { SessionEntry } from '#contract/shapes.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/journal.ts';
import type { Person } from '../../db/users/people.ts';
import { endSession, endSessionsOf, listSessions } from '../../db/users/sessions.ts';
import type { OperationDeps } from '../deps.ts';

export async function getSessions(
  deps: OperationDeps,
  person: Person,
  ownSessionId: string,
): Promise<SessionEntry[]> {
  const sessions = await listSessions(deps.db, person.id, deps.clock.now());
  return sessions.map(({ id, device, startedAt, lastUsedAt, expiresAt }) => ({
    id,
    device,
    startedAt: new Date(startedAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    isCurrent: id === ownSessionId,
  }));
}

/** Ends one of the person's own sessions, this one included. */
export async function endOwnSession(deps: OperationDeps, person: Person, sessionId: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const ended = await endSession(tx, person.id, sessionId);
    if (ended === null) throw new Refusal('SESSION_NOT_FOUND');
    const message = `A session was ended: ${ended.device}.`;
    await recordSessionsEnded(deps, tx, { person, message });
  });
}

export async function endOtherSessions(
  deps: OperationDeps,
  person: Person,
  ownSessionId: string,
): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const listed = await listSessions(tx, person.id, deps.clock.now());
    const count = listed.filter(({ id }) => id !== ownSessionId).length;
    await endSessionsOf(tx, person.id, ownSessionId);
    if (count > 0) await recordSessionsEnded(deps, tx, { person, message: 'All other sessions were ended.' });
    return count;
  });
}

/** @param isReplaced somebody has logged in anew in the same browser, whose page gives up the session that it had */
export async function logout(
  deps: OperationDeps,
  person: Person,
  { sessionId, isReplaced }: { sessionId: string; isReplaced: boolean },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const ended = await endSession(tx, person.id, sessionId);
    if (ended === null) return;
    const message = isReplaced
      ? `The earlier session of ${person.name} in the same browser was ended: ${ended.device}.`
      : `${person.name} logged out.`;
    await recordSessionsEnded(deps, tx, { person, message });
  });
}

async function recordSessionsEnded(
  deps: OperationDeps,
  tx: OperationDeps['db'],
  { person, message }: { person: Person; message: string },
): Promise<void> {
  const activity = { personId: person.id, actor: 'person', type: 'login', event: 'logout', message } as const;
  await recordActivities(tx, [activity], deps.clock.now());
}
