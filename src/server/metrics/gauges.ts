import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { LEVELS } from '#core/smartpause/level.ts';
import type { SystemNumbers } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { StoredState } from '../health.ts';

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

interface StoredGauge {
  name: string;
  help: string;
  labelNames?: string[];
  values: (stored: SystemNumbers, now: Instant) => Values;
}

const only = (value: number | null): Values => (value === null ? [] : [[{}, value]]);
const agoS = (at: Instant | null, now: Instant): number | null =>
  at === null ? null : Math.max(0, now - at) / 1000;
const byState = (counts: Record<string, number>): Values =>
  Object.entries(counts).map(([state, count]) => [{ state }, count]);

const OLDEST = [
  ['hold_unconfirmed', 'oldestUnconfirmedAt'],
  ['hold_not_resumable', 'oldestNotResumableAt'],
  ['token_refused', 'oldestTokenRefusedAt'],
  ['user_leaving', 'oldestLeavingAt'],
  ['subscription', 'oldestSubscriptionFailingAt'],
  ['webhook', 'oldestWebhookFailureAt'],
] as const;

const STORED: readonly StoredGauge[] = [
  {
    name: 'smartpause_status_age_seconds',
    help: "Since Meta's status page was last read.",
    values: ({ statusCheckedAt }, now) => only(agoS(statusCheckedAt, now)),
  },
  {
    name: 'smartpause_status_level',
    help: 'Which level is in force: 1 for that one. "true" is what was read, "effective" counts an override.',
    labelNames: ['kind', 'level'],
    values: ({ trueLevel, effectiveLevel }) =>
      LEVELS.flatMap((level) => [
        [{ kind: 'true', level }, level === trueLevel ? 1 : 0] as const,
        [{ kind: 'effective', level }, level === effectiveLevel ? 1 : 0] as const,
      ]),
  },
  {
    name: 'smartpause_status_overridden',
    help: 'Whether an administrator overrides the status.',
    values: ({ hasDirective }) => only(hasDirective ? 1 : 0),
  },
  {
    name: 'smartpause_holds',
    help: 'Campaigns that are held, by state.',
    labelNames: ['state'],
    values: ({ holds }) => byState(holds),
  },
  {
    name: 'smartpause_holds_unconfirmed',
    help: 'Holds whose last write has been unconfirmed for more than a minute.',
    values: ({ holdsUnconfirmed }) => only(holdsUnconfirmed),
  },
  {
    name: 'smartpause_work_queue_items',
    help: 'Ad accounts in the queue: due, being worked on, left alone because of their limit, or planned for later.',
    labelNames: ['state'],
    values: ({ workItems }) => byState(workItems),
  },
  {
    name: 'smartpause_queue_oldest_due_seconds',
    help: 'For how long the first of those that are due has been so; 0: none is.',
    values: ({ oldestDueAt }, now) => only(agoS(oldestDueAt, now) ?? 0),
  },
  {
    name: 'smartpause_work_items_failing',
    help: 'Ad accounts whose last read or write has failed.',
    values: ({ failingWorkItems }) => only(failingWorkItems),
  },
  {
    name: 'smartpause_notifications_waiting',
    help: 'Notifications that are not sent yet.',
    values: ({ notificationsWaiting }) => only(notificationsWaiting),
  },
  {
    name: 'smartpause_notifications_oldest_waiting_seconds',
    help: 'Since the first of them was begun; 0: there is none.',
    values: ({ oldestNotificationAt }, now) => only(agoS(oldestNotificationAt, now) ?? 0),
  },
  {
    name: 'smartpause_notifications_retried',
    help: 'Notifications that are not sent yet, after at least one attempt.',
    values: ({ notificationsRetried }) => only(notificationsRetried),
  },
  {
    name: 'smartpause_notifications_failed_last_day',
    help: 'Notifications that were abandoned in the last 24 hours.',
    values: ({ notificationsFailed }) => only(notificationsFailed),
  },
  {
    name: 'smartpause_holds_not_resumable',
    help: 'Paused campaigns without a usable token or access, or whose ad account is blocked by its limit.',
    values: ({ holdsNotResumable }) => only(holdsNotResumable),
  },
  {
    name: 'smartpause_tokens_refused',
    help: 'Subscribers with SmartPause on whose token Meta refuses.',
    values: ({ tokensRefused }) => only(tokensRefused),
  },
  {
    name: 'smartpause_tokens_undecryptable',
    help: 'Tokens whose key is not in ENCRYPTION_KEY.',
    values: ({ tokensUndecryptable }) => only(tokensUndecryptable),
  },
  {
    name: 'smartpause_users_leaving',
    help: 'Users whose deauthorization or deletion is not finished.',
    values: ({ usersLeaving }) => only(usersLeaving),
  },
  {
    name: 'smartpause_users_leaving_failing',
    help: 'Of these, users for whom it has failed at least twice.',
    values: ({ usersLeavingFailing }) => only(usersLeavingFailing),
  },
  {
    name: 'smartpause_subscriptions_failing',
    help: 'Subscriptions that could not be read from Stripe.',
    values: ({ subscriptionsFailing }) => only(subscriptionsFailing),
  },
  {
    name: 'smartpause_webhooks_failing',
    help: 'Refused and failed webhooks of a sender since its last accepted one, in this process.',
    values: ({ webhooksFailing }) => only(webhooksFailing),
  },
  {
    name: 'smartpause_failing_oldest_seconds',
    help: 'For how long the oldest of each kind has existed; absent: there is none.',
    labelNames: ['kind'],
    values: (stored, now) =>
      OLDEST.flatMap(([kind, at]) => {
        const age = agoS(stored[at], now);
        return age === null ? [] : [[{ kind }, age] as const];
      }),
  },
];

/** Constants of the process, which alert rules use as thresholds. */
export function addProcessGauges(registry: Registry, given: { role: string; staleMs: number }): void {
  const registers = [registry];
  new Gauge({
    name: 'smartpause_process_info',
    help: 'Always 1: that this process runs, and what it does (ROLE).',
    labelNames: ['role'],
    registers,
  }).set({ role: given.role }, 1);
  new Gauge({
    name: 'smartpause_status_stale_after_seconds',
    help: 'A status that was read longer ago counts as unknown: six polls, a minute at least.',
    registers,
  }).set(given.staleMs / 1000);
}

/**
 * Gauges read from the database at each scrape. Without a database they are absent, and the last one is 0.
 */
export function addStoredGauges(
  registry: Registry,
  deps: { stored: () => Promise<StoredState>; clock: Clock },
): void {
  const stored = (): Promise<SystemNumbers | null> =>
    deps.stored().then(
      ({ gauges }) => gauges,
      () => null,
    );
  const registers = [registry];
  for (const { name, help, labelNames = [], values } of STORED) {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await stored();
        this.reset();
        // Resetting a gauge without labels would set it to 0, a value that was never read.
        if (found === null) this.remove();
        else for (const [labels, value] of values(found, deps.clock.now())) this.set(labels, value);
      },
    });
  }
  new Gauge({
    name: 'smartpause_database_up',
    help: 'Whether the database has answered.',
    registers,
    async collect() {
      this.set((await stored()) === null ? 0 : 1);
    },
  });
}
