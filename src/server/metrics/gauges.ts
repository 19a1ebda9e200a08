import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { LEVELS } from '#core/smartpause/level.ts';
import type { SystemNumbers } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

interface StoredGauge {
  name: string;
  help: string;
  labelNames?: string[];
  values: (numbers: SystemNumbers, now: Instant) => Values;
}

type Count = [name: string, help: string, read: (numbers: SystemNumbers) => number];
const COUNTS: readonly Count[] = [
  ['holds_unconfirmed', 'Writes without a response for more than a minute.', (n) => n.writes.unconfirmed],
  ['work_items_failing', 'Ad accounts whose last read or write has failed.', (n) => n.accounts.failing],
  ['notifications_waiting', 'Notifications that are not sent yet.', (n) => n.emails.waiting],
  ['notifications_retried', 'Of these, those with at least one attempt.', (n) => n.emails.retried],
  ['notifications_failed_last_day', 'Abandoned in the last 24 hours.', (n) => n.emails.failed],
  ['holds_not_resumable', 'Paused without token or access, or limited.', (n) => n.holds.notResumable],
  ['tokens_refused', 'Subscribers with SmartPause on whose token Meta refuses.', (n) => n.tokens.refused],
  ['tokens_undecryptable', 'Tokens whose key is not in ENCRYPTION_KEY.', (n) => n.tokens.undecryptable],
  ['users_leaving', 'Users whose deauthorization or deletion is not finished.', (n) => n.leaving.users],
  ['users_leaving_failing', 'Of these, it has failed at least twice.', (n) => n.leaving.failing],
  ['subscriptions_failing', 'Could not be read from Stripe.', (n) => n.subscriptions.failing],
  ['webhooks_failing', 'Refused since the last accepted one, in this process.', (n) => n.webhooks.failing],
  ['status_overridden', 'Whether an admin overrides the status.', (n) => Number(n.statusPage.isOverridden)],
];

/** The oldest of a part, by the label that alerts use. */
const OLDEST = {
  hold_unconfirmed: 'writes',
  hold_not_resumable: 'holds',
  token_refused: 'tokens',
  user_leaving: 'leaving',
  subscription: 'subscriptions',
  webhook: 'webhooks',
} as const;

/** No value without a time. */
function age(labels: Record<string, string>, at: Instant | null, now: Instant): Values {
  return at === null ? [] : [[labels, Math.max(0, now - at) / 1000]];
}

const STORED: readonly StoredGauge[] = [
  ...COUNTS.map(([name, help, read]): StoredGauge => ({ name, help, values: (n) => [[{}, read(n)]] })),
  {
    name: 'status_age_seconds',
    help: "Since Meta's status page was last read.",
    values: ({ statusPage }, now) => age({}, statusPage.readAt, now),
  },
  {
    name: 'status_level',
    help: 'Which level is in force: 1 for that one. "true" is what was read, "effective" counts an override.',
    labelNames: ['kind', 'level'],
    values: ({ statusPage: { trueLevel, effectiveLevel } }) =>
      LEVELS.flatMap((level) => [
        [{ kind: 'true', level }, level === trueLevel ? 1 : 0] as const,
        [{ kind: 'effective', level }, level === effectiveLevel ? 1 : 0] as const,
      ]),
  },
  {
    name: 'holds',
    help: 'Campaigns that are held, by state.',
    labelNames: ['state'],
    values: ({ holds }) =>
      (['pausing', 'paused', 'resuming'] as const).map((state) => [{ state }, holds[state]]),
  },
  {
    name: 'work_queue_items',
    help: 'Ad accounts in the queue: due, being worked on, left alone because of their limit, or planned for later.',
    labelNames: ['state'],
    values: ({ queue }) =>
      (['due', 'working', 'limited', 'planned'] as const).map((state) => [{ state }, queue[state]]),
  },
  {
    name: 'queue_oldest_due_seconds',
    help: 'For how long the first of those that are due has been so; 0: none is.',
    values: ({ queue }, now) => age({}, queue.oldest ?? now, now),
  },
  {
    name: 'notifications_oldest_waiting_seconds',
    help: 'Since the first of them was begun; 0: there is none.',
    values: ({ emails }, now) => age({}, emails.oldest ?? now, now),
  },
  {
    name: 'failing_oldest_seconds',
    help: 'For how long the oldest of each kind has existed; absent: there is none.',
    labelNames: ['kind'],
    values: (numbers, now) =>
      Object.entries(OLDEST).flatMap(([kind, part]) => age({ kind }, numbers[part].oldest, now)),
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

/** Gauges read from the database at each scrape. Without a database they are absent, and the last one is 0. */
export function addStoredGauges(
  registry: Registry,
  { numbers, clock }: { numbers: () => Promise<SystemNumbers>; clock: Clock },
): void {
  const registers = [registry];
  const read = (): Promise<SystemNumbers | null> => numbers().catch(() => null);
  for (const { name, help, labelNames = [], values } of STORED) {
    new Gauge({
      name: `smartpause_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await read();
        this.reset();
        // Resetting a gauge without labels would set it to 0, a value that was never read.
        if (found === null) this.remove();
        else for (const [labels, value] of values(found, clock.now())) this.set(labels, value);
      },
    });
  }
  new Gauge({
    name: 'smartpause_database_up',
    help: 'Whether the database has responded.',
    registers,
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
}
