import { expect, test } from 'vitest';
import type { SystemNumbers } from './system-health.ts';
import { systemHealthOf } from './system-health.ts';
import { minutes, seconds } from './time.ts';

const now = minutes(100);
const QUIET: SystemNumbers = {
  statusCheckedAt: now,
  trueLevel: 'UP',
  effectiveLevel: 'UP',
  hasDirective: false,
  statusTrouble: null,
  statusMissing: [],
  holds: { pausing: 1, paused: 1, resuming: 1 },
  holdsNotResumable: 0,
  oldestNotResumableAt: null,
  holdsUnconfirmed: 0,
  oldestUnconfirmedAt: null,
  workItems: { due: 1, working: 1, limited: 1, planned: 1 },
  failingWorkItems: 0,
  oldestDueAt: null,
  notificationsWaiting: 1,
  notificationsRetried: 0,
  oldestNotificationAt: null,
  notificationsFailed: 0,
  tokensRefused: 0,
  oldestTokenRefusedAt: null,
  tokensUndecryptable: 0,
  usersLeaving: 1,
  usersLeavingFailing: 0,
  oldestLeavingAt: null,
  subscriptionsFailing: 0,
  oldestSubscriptionFailingAt: null,
  webhooksFailing: 0,
  oldestWebhookFailureAt: null,
};

test.each<[Partial<SystemNumbers>, string | null]>([
  [{}, null],
  [{ statusCheckedAt: now - seconds(60) }, null],
  [{ statusCheckedAt: now - seconds(60) - 1 }, 'statusPage'],
  [{ trueLevel: 'UNKNOWN' }, 'statusPage'],
  [{ oldestDueAt: now - minutes(1) }, null],
  [{ oldestDueAt: now - minutes(1) - 1 }, 'queue'],
  [{ failingWorkItems: 1 }, 'accounts'],
  [{ holdsNotResumable: 1 }, 'holds'],
  [{ holdsUnconfirmed: 1 }, 'writes'],
  [{ notificationsRetried: 1 }, 'emails'],
  [{ notificationsFailed: 1 }, 'emails'],
  [{ oldestNotificationAt: now - minutes(30) }, null],
  [{ oldestNotificationAt: now - minutes(30) - 1 }, 'emails'],
  [{ tokensRefused: 1 }, 'tokens'],
  [{ tokensUndecryptable: 1 }, 'tokens'],
  [{ usersLeavingFailing: 1 }, 'leaving'],
  [{ subscriptionsFailing: 1 }, 'subscriptions'],
  [{ webhooksFailing: 1 }, 'webhooks'],
])('with %j, System health shows as in need of attention: %j', (numbers, part) => {
  const health = systemHealthOf({ ...QUIET, ...numbers }, { now, staleMs: seconds(60) });
  const found = Object.entries(health).filter(([, { needsAttention }]) => needsAttention);
  expect(found.map(([name]) => name)).toEqual(part === null ? [] : [part]);
});
