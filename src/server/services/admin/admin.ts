import type { AdminAction, AdminActivity, AdminStatus } from '#contract/admin-overview.ts';
import type { Directive } from '#core/smartpause/level.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { Refusal } from '#contract/errors.ts';
import { UNABLE_TO_FETCH } from '../../platforms/meta/status-page/status-page.ts';
import { findBillingCustomer, forgetCustomer } from '../../db/billing/billing-customers.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/journal.ts';
import { makeDueForPerson } from '../../db/lanes.ts';
import type { Person } from '../../db/users/people.ts';
import type { Statistics } from '../../db/reports/statistics.ts';
import { listRecentActivities, readStatistics } from '../../db/reports/statistics.ts';
import { readStatus, recordStatus } from '../../db/status/status.ts';
import { dropSubscriptions, saveSubscription } from '../../db/billing/subscriptions.ts';
import { newSecret } from '../../secrets.ts';
import { closeCheckouts } from '../billing/billing-checkout.ts';
import { deleteCustomer } from '../billing/billing-sync.ts';
import type { OperationDeps } from '../deps.ts';

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
    statusMessage: status.trueLevel === 'UNKNOWN' ? UNABLE_TO_FETCH : status.message,
    isProductionLike: deps.isProductionLike,
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
  else if (action === 'grant-subscription') await grantOwnSubscription(deps, person);
  else await clearOwnSubscription(deps, person);
  deps.log.info({ person: person.id, action }, 'an administrator has acted');
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

const GRANT_YEARS = 10;

/** Local, yearly, and nobody is ever charged for it. */
async function grantOwnSubscription(deps: OperationDeps, person: Person): Promise<void> {
  const now = deps.clock.now();
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + GRANT_YEARS);
  const currentPeriodEnd = end.getTime();
  const none = { canceledAt: null, trialEnd: null, renews: false };
  const granted = { status: 'active', planType: 'yearly', currentPeriodEnd, ...none } as const;
  await inTransaction(deps.db, async (tx) => {
    await saveSubscription(tx, { personId: person.id, source: 'grant' }, granted);
    const message = `${person.name} granted themselves a subscription of ten years.`;
    await recordActivities(tx, [{ ...ownAct(person), event: 'subscription_granted', message }], now);
    await makeDueForPerson(tx, person.id, now);
  });
}

/** Also at Stripe, so that nothing is charged for what is forgotten here. What is held stays held to its end. */
async function clearOwnSubscription(deps: OperationDeps, person: Person): Promise<void> {
  const now = deps.clock.now();
  await closeCheckouts(deps, person.id);
  if ((await deleteCustomer(deps, person.id)) !== null) throw new Refusal('BILLING_UNAVAILABLE');
  const { customerId } = (await findBillingCustomer(deps.db, person.id)) ?? { customerId: null };
  await inTransaction(deps.db, async (tx) => {
    // In the order in which a reading locks them.
    if (customerId !== null) {
      await forgetCustomer(tx, { personId: person.id, customerId, requestKey: newSecret() });
    }
    await dropSubscriptions(tx, person.id);
    const message = `${person.name} cleared their own subscription.`;
    await recordActivities(tx, [{ ...ownAct(person), event: 'subscription_cleared', message }], now);
    await makeDueForPerson(tx, person.id, now);
  });
}

function ownAct(person: Person) {
  return { personId: person.id, actor: 'person', type: 'other' } as const;
}
