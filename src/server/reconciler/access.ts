import type { Instant } from '#core/time.ts';
import { recordActivities } from '../db/activities.ts';
import { saveAccess, saveBlockedWrites } from '../db/ad-accounts.ts';
import { countsAsBlocked } from '#core/platform-access.ts';
import { inTransaction } from '../db/database.ts';
import { findOldestPause } from '../db/holds/holds.ts';
import type { Access, Pass, ReconcileDeps } from './pass.ts';
import { accessOf, userOf } from './pass.ts';

type Deps = Pick<ReconcileDeps, 'db' | 'clock'>;

/** Keeps it for the rest of the pass, and stores a loss or its end. */
export async function noteAccess(
  { db, clock }: Deps,
  pass: Pass,
  { userId, access }: { userId: string; access: Access },
): Promise<void> {
  const user = userOf(pass, userId);
  const wasLost = user !== undefined && accessOf(pass, user) === 'lost';
  pass.access.set(userId, access);
  if (access === 'lost' || (wasLost && access === 'full'))
    await saveAccess(db, { userId, accountId: pass.claim.accountId }, access === 'lost' ? clock.now() : null);
}

/** Meta refuses all changes of the user in the ad account until then, such as these; null: it accepts them again. */
export async function noteBlockedWrites(
  { db, clock }: Deps,
  pass: Pass,
  given: {
    userId: string;
    until: Instant | null;
    /** Meta's own words. */
    refusal: string | null;
    campaignIds: readonly string[];
  },
): Promise<void> {
  const { userId, until, refusal } = given;
  const { accountId } = pass.claim;
  const now = clock.now();
  const user = userOf(pass, userId);
  const isNew = user !== undefined && until !== null && !countsAsBlocked(user.writesBlockedUntil, now);
  if (user !== undefined) user.writesBlockedUntil = until;
  await inTransaction(db, async (tx) => {
    const about = { userId, accountId, actor: 'meta', event: 'account_blocked', facts: { refusal } } as const;
    const activities = given.campaignIds.map((id) => ({
      ...{ ...about, campaign: { id, name: pass.names.get(id) ?? id } },
    }));
    // Lock order: the user before the ad account.
    if (isNew) await recordActivities(tx, activities, now);
    await saveBlockedWrites(tx, { userId, accountId }, until);
  });
}

/** Only these users can resume what is paused there: one activity for the oldest of these holds. */
export async function noteStranded(deps: Deps, pass: Pass): Promise<void> {
  const { accountId } = pass.claim;
  const holders = new Set([...pass.stored.holds.values()].map(({ userId }) => userId));
  for (const one of pass.stored.users) {
    const { id: userId } = one.user;
    const access = accessOf(pass, one);
    if (!holders.has(userId) || (access !== 'lost' && access !== 'read')) continue;
    const oldest = await findOldestPause(deps.db, userId, accountId);
    if (oldest === null) continue;
    // Until the next read.
    if (access === 'read') await noteAccess(deps, pass, { userId, access: 'lost' });
    const about = { userId, accountId, actor: 'meta', event: 'account_lost' } as const;
    await recordActivities(deps.db, [{ ...about, facts: { holdId: oldest } }], deps.clock.now());
  }
}
