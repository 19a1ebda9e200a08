import type { AdminAction, AdminStatus, OverrideReach } from '#contract/admin-overview.ts';
import { ApiError } from '#contract/errors.ts';
import { GRANT_YEARS, accessUntil } from '#core/billing/subscription.ts';
import { kindsOf } from '#core/events.ts';
import { groupText } from '#core/outages/activity-text.ts';
import type { Directive } from '#core/smartpause/level.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import { silentText } from '#core/smartpause/silent-incident.ts';
import { UNABLE_TO_FETCH, currentStatus, nextStatus } from '#core/smartpause/status.ts';
import { systemHealthOf } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import { findCustomer, forgetCustomer } from '../../db/billing/customers.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { countOverrideReach } from '../../db/reports/override-reach.ts';
import { listRecentActivities } from '../../db/reports/statistics.ts';
import { explainOverride, readStatus } from '../../db/status/status.ts';
import { recordStatus } from '../../status/record-status.ts';
import { dropSubscriptions, saveSubscription } from '../../db/billing/subscriptions.ts';
import { closeCheckouts } from '../billing/checkout.ts';
import type { BillingDeps } from '../billing/sync.ts';
import { deleteCustomer } from '../billing/sync.ts';
import type { Needs } from '../deps.ts';

const ACTIVITIES_SHOWN = 100;

export async function getRecentActivities(deps: Needs<'db'>) {
  const groups = await listRecentActivities(deps.db, ACTIVITIES_SHOWN);
  return groups.map(({ id, timestamp, user, event, facts, ...group }) => {
    const { type, topic: kind } = kindsOf(event, facts);
    const shown = type === 'other' && kind !== undefined ? { type, kind } : { type };
    return { id, ...shown, timestamp, user, message: groupText(group) };
  });
}

export async function getAdminStatus(
  deps: Needs<'db' | 'clock' | 'staleMs' | 'isProductionLike'>,
): Promise<AdminStatus> {
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

export async function getSystemHealth(deps: Needs<'systemNumbers' | 'clock' | 'staleMs'>) {
  const { clock, staleMs } = deps;
  const health = systemHealthOf(await deps.systemNumbers(), { now: clock.now(), staleMs });
  const silentIncidents = health.statusPage.silentIncidents.map(silentText);
  return { ...health, statusPage: { ...health.statusPage, silentIncidents } };
}

/** Logs when these alarms begin and end, which nothing else logs. @param raised those that this process has logged */
export async function logAlarms(
  deps: Parameters<typeof getSystemHealth>[0] & Needs<'log'>,
  _startedAt: Instant,
  raised: Set<string>,
): Promise<void> {
  const health = await getSystemHealth(deps);
  for (const alarm of ['tokenChecks', 'logins'] as const) {
    const { needsAttention, ...details } = health[alarm];
    if (needsAttention === raised.has(alarm)) continue;
    if (needsAttention) deps.log.warn({ alarm, ...details }, 'alarm began');
    else deps.log.info({ alarm }, 'alarm ended');
    raised[needsAttention ? 'add' : 'delete'](alarm);
  }
}

const DIRECTIVES: Partial<Record<AdminAction, Directive | null>> = {
  clear: null,
  'force-up': 'FORCE_UP',
  'force-low': 'FORCE_LOW',
  'force-medium': 'FORCE_MEDIUM',
  'force-high': 'FORCE_HIGH',
};

/** What an override would do now, before an admin sets or ends it. */
export async function getOverrideReach(
  deps: Needs<'db' | 'clock' | 'staleMs'>,
  action: AdminAction,
): Promise<OverrideReach> {
  const directive = DIRECTIVES[action];
  if (directive === undefined) throw new ApiError('NOT_FOUND');
  const now = deps.clock.now();
  const status = currentStatus(await readStatus(deps.db), now, deps.staleMs);
  const { effective, known, matchSince } = nextStatus(status, { directive }, now);
  const matched = THRESHOLDS.filter((threshold) => meetsThreshold(known, threshold));
  return countOverrideReach(deps.db, { matched, matchSince, startsPauses: effective !== 'UNKNOWN' }, now);
}

/** Overrides the status for all users, or changes the admin's own subscription. */
export async function takeAdminAction(
  deps: BillingDeps & Needs<'staleMs'>,
  user: User,
  { action, reason }: { action: AdminAction; reason?: string | undefined },
): Promise<void> {
  const directive = DIRECTIVES[action];
  if (directive !== undefined) await direct(deps, user, { directive, reason: reason?.trim() ?? '' });
  else if (action === 'grant-subscription') await grantOwnSubscription(deps, user);
  else await clearOwnSubscription(deps, user);
  deps.log.info({ user: user.id, action }, 'admin action');
  deps.wake();
}

async function direct(
  deps: Needs<'db' | 'clock' | 'staleMs'>,
  user: User,
  { directive, reason }: { directive: Directive | null; reason: string },
): Promise<void> {
  const now = deps.clock.now();
  const note = reason === '' ? null : reason;
  await inTransaction(deps.db, async (tx) => {
    await recordStatus(tx, { directive }, now, { staleMs: deps.staleMs });
    await explainOverride(tx, directive === null ? null : { by: user.id, reason: note, since: now });
    const facts = { name: user.name, directive, note };
    await recordActivities(tx, [{ ...ownActivity(user), event: 'directive', facts }], now);
  });
}

/** Yearly and local: it is never charged. */
async function grantOwnSubscription(deps: Needs<'db' | 'clock'>, user: User): Promise<void> {
  const now = deps.clock.now();
  const currentPeriodEnd = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + GRANT_YEARS);
  const none = { canceledAt: null, trialEnd: null, renews: false };
  const granted = { status: 'active', planType: 'yearly', currentPeriodEnd, ...none } as const;
  await inTransaction(deps.db, async (tx) => {
    await saveSubscription(tx, { userId: user.id, source: 'grant' }, granted, accessUntil(granted));
    const facts = { name: user.name, years: GRANT_YEARS };
    await recordActivities(tx, [{ ...ownActivity(user), event: 'subscription_granted', facts }], now);
    await wakeForUser(tx, user.id);
  });
}

/** Also cancels at Stripe, so that nothing more is charged. Existing holds continue. */
async function clearOwnSubscription(deps: BillingDeps, user: User): Promise<void> {
  const now = deps.clock.now();
  // A checkout during the deletion at Stripe creates another one, which stays.
  const customerId = await findCustomer(deps.db, user.id);
  await closeCheckouts(deps, user.id);
  await deleteCustomer(deps, user.id);
  await inTransaction(deps.db, async (tx) => {
    // The lock order of a subscription read.
    if (customerId !== null) await forgetCustomer(tx, user.id, customerId);
    await dropSubscriptions(tx, { userId: user.id });
    const facts = { name: user.name };
    await recordActivities(tx, [{ ...ownActivity(user), event: 'subscription_cleared', facts }], now);
    await wakeForUser(tx, user.id);
  });
}

function ownActivity(user: User) {
  return { userId: user.id, actor: 'user' } as const;
}
