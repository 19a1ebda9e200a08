import { mayArriveUntil } from '#core/smartpause/hold.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { pausedAct, resumedAct } from '../../db/holds/hold-acts.ts';
import type { StoredHold } from '../../db/holds/holds.ts';
import { findLiveHolds } from '../../db/holds/holds.ts';
import { recordActivities } from '../../db/journal.ts';
import { findPerson } from '../../db/users/people.ts';
import { readStatus } from '../../db/status/status.ts';
import type { OperationDeps } from '../deps.ts';

/** A write of ours that nobody has answered yet, and what is known of it now. */
export interface Doubt {
  hold: StoredHold;
  /** Null: the platform does not say. */
  isDone: boolean | null;
}

/**
 * Before a hand changes a campaign: the hold whose write is still without an answer. Afterwards nobody could tell ours
 * from theirs, and a pause of ours would be told nowhere.
 */
export async function findDoubt(
  deps: OperationDeps,
  token: string,
  { id, accountId }: { id: string; accountId: string },
): Promise<Doubt | null> {
  const holds = await findLiveHolds(deps.db, [accountId]);
  // One that was resumed is told already.
  const hold = holds.find(
    ({ campaignId, inDoubt, resumedAt }) => campaignId === id && inDoubt && resumedAt === null,
  );
  if (hold === undefined) return null;
  const read = await deps.platform.readStatuses(token, accountId, [id]);
  const wanted = hold.state === 'resuming' ? 'ACTIVE' : 'PAUSED';
  const status = read.ok ? read.value.get(id) : undefined;
  if (status === wanted) return { hold, isDone: true };
  // What was read may be what was before, or the write still be on its way.
  const mayBe = status === undefined || mayArriveUntil(hold, deps.clock.now()) !== null;
  return { hold, isDone: mayBe ? null : false };
}

export async function recordSettled(tx: Db, hold: StoredHold, name: string, now: Instant): Promise<void> {
  const person = await findPerson(tx, hold.personId);
  if (person === null) return;
  const seen = { name, known: (await readStatus(tx)).known, person };
  await recordActivities(
    tx,
    [hold.state === 'resuming' ? resumedAct(hold, seen) : pausedAct(hold, seen)],
    now,
  );
}
