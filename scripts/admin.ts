import { systemClock } from '../src/server/clock.ts';
import { readDatabaseConfig } from '../src/server/config/read-config.ts';
import { ROLES } from '../src/core/roles.ts';
import type { Role } from '../src/core/roles.ts';
import { hasMigrations } from '../src/server/db/migrate.ts';
import { createDb } from '../src/server/db/database.ts';
import { DatabaseClock } from '../src/server/db/database-clock.ts';
import type { Db } from '../src/server/db/database.ts';
import { migrations } from '../src/server/db/migrations/all.ts';
import { listRoleHolders } from '../src/server/db/users/roles.ts';
import { endSessionsOfPlatformUser } from '../src/server/db/users/sessions.ts';
import { setRole } from '../src/server/services/admin/roles.ts';
import { NotUnderstood, readArguments } from './arguments.ts';
import { fail, withDatabase } from './command.ts';

const USAGE = `Who may administrate this installation.

  npm run admin -- grant <Meta user id> [${ROLES.join(' | ')}]
  npm run admin -- revoke <Meta user id> [${ROLES.join(' | ')}]
  npm run admin -- list
  npm run admin -- end-sessions <Meta user id> | everybody

Without a role it is ${ROLES[0]}. The user must have logged in once. Users in ADMIN_PLATFORM_IDS get their
role back at the next login.
`;

const NOT_MIGRATED =
  'The tables are not those of this version. Start SmartPause once, or run: npm run migrate';

type Command =
  | { act: 'list' }
  | { act: 'end-sessions'; platformUserId: string | null }
  | { act: 'grant' | 'revoke'; platformUserId: string; role: Role };

/** Returns null for an unknown command. */
function readCommand([act, id = '', role, ...rest]: string[]): Command | null {
  if (act === 'list' && id === '') return { act };
  const isUser = /^\d+$/.test(id);
  if (act === 'end-sessions' && role === undefined && (isUser || id === 'everybody'))
    return { act, platformUserId: isUser ? id : null };
  const known = role === undefined ? ROLES[0] : ROLES.find((one) => one === role);
  if ((act !== 'grant' && act !== 'revoke') || known === undefined || rest.length > 0) return null;
  return isUser ? { act, platformUserId: id, role: known } : null;
}

async function execute(db: Db, command: Command): Promise<string> {
  if (command.act === 'list') {
    const holders = await listRoleHolders(db);
    const lines = holders.map(
      ({ platformUserId, name, roles }) => `${platformUserId}  ${name}  ${roles.join(', ')}`,
    );
    return lines.length === 0 ? 'No user has a role.' : lines.join('\n');
  }
  if (command.act === 'end-sessions') {
    const count = await endSessionsOfPlatformUser(db, command.platformUserId);
    return `Sessions ended: ${count}`;
  }
  const clock = new DatabaseClock(systemClock);
  await clock.read(db);
  const holder = await setRole({ db, clock }, command);
  if (holder === null) {
    throw new Error(`No user with the Meta user id ${command.platformUserId} has logged in yet.`);
  }
  const roles = holder.roles.length === 0 ? 'no role' : holder.roles.join(', ');
  return `${holder.name} (${holder.platformUserId}) has now: ${roles}`;
}

const command = readArguments({ usage: USAGE, takesWords: true }, ({ words }) => {
  const understood = readCommand(words);
  if (understood !== null) return understood;
  throw new NotUnderstood(`Not understood: ${words.join(' ') || 'nothing was asked for'}`);
});
withDatabase(readDatabaseConfig, async ({ pool }) => {
  const db = createDb(pool);
  // A read-only command does not migrate: the running service may still use the previous version.
  if (!(await hasMigrations(db, Object.keys(migrations)))) throw new Error(NOT_MIGRATED);
  process.stdout.write(`${await execute(db, command)}\n`);
}).catch(fail);
