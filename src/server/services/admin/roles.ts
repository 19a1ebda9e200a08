import type { Role } from '#core/roles.ts';
import { isAdmin } from '#core/roles.ts';
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import type { RoleHolder } from '../../db/users/roles.ts';
import { changeRole } from '../../db/users/roles.ts';
import { dropSubscriptions } from '../../db/billing/subscriptions.ts';

/** For the operator. Null: no user with that Meta user id has logged in yet. */
export async function setRole(
  { db, clock }: { db: Db; clock: Clock },
  given: { platformUserId: string; role: Role; act: 'grant' | 'revoke' },
): Promise<RoleHolder | null> {
  return inTransaction(db, async (tx) => {
    const changed = await changeRole(tx, given);
    // Only an admin can clear a grant, and a grant prevents the deletion of the account.
    if (changed !== null && !isAdmin(changed.roles))
      await dropSubscriptions(tx, { userId: changed.id, source: 'grant' });
    if (changed?.hasChanged !== true) return changed;
    const { act, role } = given;
    const about = { userId: changed.id, actor: 'operator', event: `role_${act}` } as const;
    await recordActivities(tx, [{ ...about, facts: { name: changed.name, role } }], clock.now());
    return changed;
  });
}
