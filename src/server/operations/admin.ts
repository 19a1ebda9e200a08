import type { AdminAction, AdminActivity, AdminStatus } from '#contract/shapes.ts';
import type { Directive } from '#core/smartpause/level.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { grantSubscription, clearSubscription } from '../db/billing.ts';
import { inTransaction } from '../db/database.ts';
import { recordActivities } from '../db/journal.ts';
import { makeDueForPerson } from '../db/lanes.ts';
import type { Person } from '../db/people.ts';
import type { Statistics } from '../db/statistics.ts';
import { listRecentActivities, readStatistics } from '../db/statistics.ts';
import { readStatus, recordStatus } from '../db/status.ts';
import type { OperationDeps } from './deps.ts';

const ACTIVITIES_SHOWN = 100;

export async function getStatistics(deps: OperationDeps): Promise<Statistics> {
  return readStatistics(deps.db, deps.clock.now());
}

export async function getRecentActivities(deps: OperationDeps): Promise<AdminActivity[]> {
  const activities = await listRecentActivities(deps.db, ACTIVITIES_SHOWN);
  return activities.map(({ at, ...rest }) => ({ ...rest, timestamp: new Date(at).toISOString() }));
}

export async function getAdminStatus(deps: OperationDeps): Promise<AdminStatus> {
  const status = currentStatus(await readStatus(deps.db), deps.clock.now(), deps.staleMs);
  return {
    trueMetaStatus: status.trueLevel,
    adminDirective: status.directive,
    effectiveStatus: status.effective,
    isOverridden: status.directive !== null,
    statusMessage: status.message,
  };
}

const DIRECTIVES: Partial<Record<AdminAction, Directive | null>> = {
  clear: null,
  'force-up': 'FORCE_UP',
  'force-low': 'FORCE_LOW',
  'force-medium': 'FORCE_MEDIUM',
  'force-high': 'FORCE_HIGH',
};

/** Overrides the status for everybody, or changes the administrator's own subscription. */
export async function takeAdminAction(
  deps: OperationDeps,
  person: Person,
  action: AdminAction,
): Promise<void> {
  const directive = DIRECTIVES[action];
  if (directive !== undefined) await direct(deps, person, directive);
  else await changeOwnSubscription(deps, person, action === 'grant-subscription');
  deps.wake();
}

async function direct(deps: OperationDeps, person: Person, directive: Directive | null): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    await recordStatus(tx, { directive }, now, { staleMs: deps.staleMs });
    const message =
      directive === null
        ? `${person.name} ended the override of the platform status.`
        : `${person.name} overrode the platform status: ${directive}.`;
    const about = { personId: person.id, actor: 'person', type: 'other', event: 'directive' } as const;
    await recordActivities(tx, [{ ...about, message, reason: directive ?? 'CLEAR' }], now);
  });
}

async function changeOwnSubscription(deps: OperationDeps, person: Person, isGrant: boolean): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (isGrant) await grantSubscription(tx, person.id, now);
    else await clearSubscription(tx, person.id);
    const message = isGrant
      ? `${person.name} granted themselves a subscription of ten years.`
      : `${person.name} cleared their own subscription.`;
    const event = isGrant ? 'subscription_granted' : 'subscription_cleared';
    await recordActivities(
      tx,
      [{ personId: person.id, actor: 'person', type: 'other', event, message }],
      now,
    );
    await makeDueForPerson(tx, person.id, now);
  });
}
