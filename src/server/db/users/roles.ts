import { sql } from 'kysely';
import type { Role } from '#core/roles.ts';
import type { Db } from '../database.ts';

export interface RoleHolder {
  platformUserId: string;
  name: string;
  roles: string[];
}

/** Null: no user with that Meta user id has logged in yet. */
export async function changeRole(
  tx: Db,
  given: { platformUserId: string; role: Role; act: 'grant' | 'revoke' },
): Promise<(RoleHolder & { userId: string; hasChanged: boolean }) | null> {
  const row = await tx
    .selectFrom('users')
    .select(['id', 'name', 'roles'])
    .where('platformUserId', '=', given.platformUserId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const has = row.roles.includes(given.role);
  const others = row.roles.filter((role) => role !== given.role);
  const roles = given.act === 'grant' ? [...others, given.role].sort() : others;
  await tx.updateTable('users').set({ roles }).where('id', '=', row.id).execute();
  const hasChanged = has !== (given.act === 'grant');
  return { userId: row.id, platformUserId: given.platformUserId, name: row.name, roles, hasChanged };
}

export async function listRoleHolders(db: Db): Promise<RoleHolder[]> {
  return db
    .selectFrom('users')
    .select(['platformUserId', 'name', 'roles'])
    .where(sql<boolean>`cardinality(roles) > 0`)
    .orderBy('name')
    .execute();
}
