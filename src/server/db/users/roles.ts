import { sql } from 'kysely';
import type { Role } from '#core/roles.ts';
import type { Db } from '../database.ts';
import type { User } from './users.ts';

export type RoleHolder = Pick<User, 'platformUserId' | 'name' | 'roles'>;

/** Null: no user with that Meta user id has logged in yet. */
export async function changeRole(
  tx: Db,
  { platformUserId, role, act }: { platformUserId: string; role: Role; act: 'grant' | 'revoke' },
): Promise<(RoleHolder & Pick<User, 'id'> & { hasChanged: boolean }) | null> {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'platformUserId', 'name', 'roles'])
    .where('platformUserId', '=', platformUserId)
    .forUpdate()
    .executeTakeFirst();
  if (user === undefined) return null;
  const others = user.roles.filter((one) => one !== role);
  const roles = act === 'grant' ? [...others, role].sort() : others;
  await tx.updateTable('users').set({ roles }).where('id', '=', user.id).execute();
  return { ...user, roles, hasChanged: roles.length !== user.roles.length };
}

export async function listRoleHolders(db: Db): Promise<RoleHolder[]> {
  const holders = db.selectFrom('users').select(['platformUserId', 'name', 'roles']);
  return holders
    .where(sql<boolean>`cardinality(roles) > 0`)
    .orderBy('name')
    .execute();
}
