import { sql } from 'kysely';
import type { Role } from '#core/roles.ts';
import type { Db } from '../database.ts';

export interface RoleHolder {
  platformUserId: string;
  name: string;
  roles: string[];
}

/** Gives or takes a role. Null: nobody with that platform user id has logged in yet. */
export async function changeRole(
  tx: Db,
  given: { platformUserId: string; role: Role; act: 'grant' | 'revoke' },
): Promise<(RoleHolder & { personId: string; hasChanged: boolean }) | null> {
  const row = await tx
    .selectFrom('person')
    .select(['id', 'name', 'roles'])
    .where('platform_user_id', '=', given.platformUserId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const has = row.roles.includes(given.role);
  const others = row.roles.filter((role) => role !== given.role);
  const roles = given.act === 'grant' ? [...others, given.role].sort() : others;
  await tx.updateTable('person').set({ roles }).where('id', '=', row.id).execute();
  const hasChanged = has !== (given.act === 'grant');
  return { personId: row.id, platformUserId: given.platformUserId, name: row.name, roles, hasChanged };
}

/** Everybody who has a role. */
export async function listRoleHolders(db: Db): Promise<RoleHolder[]> {
  const rows = await db
    .selectFrom('person')
    .select(['platform_user_id', 'name', 'roles'])
    .where(sql<boolean>`cardinality(roles) > 0`)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ platformUserId: row.platform_user_id, name: row.name, roles: row.roles }));
}
