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

/** A name, a help text and the number that it shows. */
const COUNTS = [
  [
    'smartpause_holds_unconfirmed',
    'Writes that Meta has not answered for more than a minute.',
    'holdsUnconfirmed',
  ],
  ['smartpause_work_items_failing', 'Ad accounts whose last read or write has failed.', 'failingWorkItems'],
  ['smartpause_notifications_waiting', 'Notifications that are not sent yet.', 'notificationsWaiting'],
  [
    'smartpause_notifications_retried',
    'Notifications that are not sent yet, after at least one attempt.',
    'notificationsRetried',
  ],
  [
    'smartpause_notifications_failed_last_day',
    'Notifications that were abandoned in the last 24 hours.',
    'notificationsFailed',
  ],
  [
    'smartpause_holds_not_resumable',
    'Paused campaigns without a usable token or access, or whose ad account is blocked by its limit.',
    'holdsNotResumable',
  ],
  ['smartpause_tokens_refused', 'Subscribers with SmartPause on whose token Meta refuses.', 'tokensRefused'],
  ['smartpause_tokens_undecryptable', 'Tokens whose key is not in ENCRYPTION_KEY.', 'tokensUndecryptable'],
  ['smartpause_users_leaving', 'Users whose deauthorization or deletion is not finished.', 'usersLeaving'],
  [
    'smartpause_users_leaving_failing',
    'Of these, users for whom it has failed at least twice.',
    'usersLeavingFailing',
  ],
  [
    'smartpause_subscriptions_failing',
    'Subscriptions that could not be read from Stripe.',
    'subscriptionsFailing',
  ],
  [
    'smartpause_webhooks_failing',
    'Refused and failed webhooks of a sender since its last accepted one, in this process.',
    'webhooksFailing',
  ],
] as const;

const STORED: readonly StoredGauge[] = [
  ...COUNTS.map(([name, help, field]) => ({
    ...{ name, help },
    values: (stored: SystemNumbers) => only(stored[field]),
  })),
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
    name: 'smartpause_notifications_oldest_waiting_seconds',
    help: 'Since the first of them was begun; 0: there is none.',
    values: ({ oldestNotificationAt }, now) => only(agoS(oldestNotificationAt, now) ?? 0),
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
    help: 'Whether the database has responded.',
    registers,
    async collect() {
      this.set((await stored()) === null ? 0 : 1);
    },
  });
}
