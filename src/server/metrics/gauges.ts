import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { APP_STOPS } from '#core/app-state.ts';
import { LEVELS } from '#core/smartpause/level.ts';
import type { SystemNumbers } from '#core/system-health.ts';
import { loginsFail } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';

type Sample = readonly [value: number, labels?: Record<string, string>];
type StoredGauge = [name: string, help: string, read: (numbers: SystemNumbers, now: Instant) => Sample[]];

/** No value without a time. */
function age(at: Instant | null, now: Instant, labels: Record<string, string> = {}): Sample[] {
  return at === null ? [] : [[Math.max(0, now - at) / 1000, labels]];
}

function byState<State extends string>(counts: Record<State, number>, states: readonly State[]): Sample[] {
  return states.map((state) => [counts[state], { state }]);
}

/** The oldest of a part, by the label of its gauge. */
const OLDEST = {
  app: 'app',
  hold_unconfirmed: 'writes',
  hold_not_resumable: 'holds',
  token_refused: 'tokens',
  token_check: 'tokenChecks',
  login_without_success: 'logins',
  user_leaving: 'leaving',
  subscription: 'subscriptions',
} as const;

const STORED: readonly StoredGauge[] = [
  [
    'writes_unconfirmed',
    'Writes without a response for more than a minute.',
    (n) => [[n.writes.unconfirmed]],
  ],
  [
    'account_jobs_due',
    'Lists and logs of ad accounts that are to be read, and spend that is a day late.',
    (n) => [[n.jobs.due]],
  ],
  ['work_items_failing', 'Ad accounts whose last read or write has failed.', (n) => [[n.accounts.failing]]],
  ['notifications_waiting', 'Notifications that are not sent yet.', (n) => [[n.emails.waiting]]],
  ['notifications_retried', 'Of these, those with at least one attempt.', (n) => [[n.emails.retried]]],
  ['notifications_failed_last_day', 'Abandoned in the last 24 hours.', (n) => [[n.emails.failed]]],
  ['holds_not_resumable', 'Paused without token or access, or limited.', (n) => [[n.holds.notResumable]]],
  ['tokens_refused', 'Subscribers with SmartPause on whose token Meta refuses.', (n) => [[n.tokens.refused]]],
  ['tokens_undecryptable', 'Tokens whose key is not in ENCRYPTION_KEY.', (n) => [[n.tokens.undecryptable]]],
  [
    'token_checks_refused',
    'Whether Meta refuses to inspect tokens for our app.',
    (n) => [[Number(n.tokenChecks.oldest !== null)]],
  ],
  [
    'logins_failing',
    'Whether no login has succeeded for two days although some began.',
    (n, now) => [[Number(loginsFail(n.logins, now))]],
  ],
  ['users_leaving', 'Users whose deauthorization or deletion is not finished.', (n) => [[n.leaving.users]]],
  ['users_leaving_failing', 'Of these, it has failed at least twice.', (n) => [[n.leaving.failing]]],
  ['subscriptions_failing', 'Could not be read from Stripe.', (n) => [[n.subscriptions.failing]]],
  [
    'app_stopped',
    'Why Meta refuses our app: 1 for the kind that stops all calls.',
    ({ app }) => APP_STOPS.map((kind) => [Number(kind === app.stopped), { kind }]),
  ],
  ['app_limit_used_ratio', "Of the app's limit, from 0.7 on; 0: less.", (n) => [[n.app.usedRatio]]],
  [
    'status_overridden',
    'Whether an admin overrides the status.',
    (n) => [[Number(n.statusPage.isOverridden)]],
  ],
  [
    'status_silent_incidents',
    "Outages on Meta's status page that no longer count.",
    (n) => [[n.statusPage.silentIncidents.length]],
  ],
  [
    'status_age_seconds',
    "Since Meta's status page was last read.",
    (n, now) => age(n.statusPage.readAt, now),
  ],
  [
    'status_level',
    'Which level is in force: 1 for that one. "true" is what was read, "effective" counts an override.',
    ({ statusPage: { trueLevel, effectiveLevel } }) =>
      LEVELS.flatMap((level): Sample[] => [
        [level === trueLevel ? 1 : 0, { kind: 'true', level }],
        [level === effectiveLevel ? 1 : 0, { kind: 'effective', level }],
      ]),
  ],
  [
    'holds',
    'Campaigns that are held, by state.',
    ({ holds }) => byState(holds, ['pausing', 'paused', 'resuming']),
  ],
  [
    'work_queue_items',
    'Ad accounts in the queue: due, being worked on, left alone because of their limit, or planned for later.',
    ({ queue }) => byState(queue, ['due', 'working', 'limited', 'planned']),
  ],
  [
    'queue_oldest_due_seconds',
    'For how long the first of those that are due has been so; 0: none is.',
    ({ queue }, now) => age(queue.oldest ?? now, now),
  ],
  [
    'account_jobs_oldest_due_seconds',
    'For how long the first of the lists for new campaigns, or of the reads of spend, is late although Meta could be asked; 0: none is.',
    ({ jobs }, now) => age(jobs.oldest ?? now, now),
  ],
  [
    'notifications_oldest_waiting_seconds',
    'Since the first of them was begun; 0: there is none.',
    ({ emails }, now) => age(emails.oldest ?? now, now),
  ],
  [
    'failing_oldest_seconds',
    'For how long the oldest of each kind has existed; absent: there is none.',
    (numbers, now) =>
      Object.entries(OLDEST).flatMap(([kind, part]) => age(numbers[part].oldest, now, { kind })),
  ],
];

/**
 * Gauges read from the database at each scrape; without a database they are absent, and `database_up` is 0.
 * Role and stale limit are constants that alert rules use.
 */
export function addGauges(
  registry: Registry,
  given: { numbers: () => Promise<SystemNumbers>; clock: Clock; role: string; staleMs: number },
): void {
  const registers = [registry];
  const help = 'Always 1: that this process runs, and what it does (ROLE).';
  const info = new Gauge({ name: 'smartpause_process_info', help, labelNames: ['role'], registers });
  info.set({ role: given.role }, 1);
  new Gauge({
    name: 'smartpause_status_stale_after_seconds',
    help: 'A status that was read longer ago counts as unknown: six polls, a minute at least.',
    registers,
  }).set(given.staleMs / 1000);
  const read = (): Promise<SystemNumbers | null> => given.numbers().catch(() => null);
  for (const [name, help, samplesOf] of STORED) {
    new Gauge({
      name: `smartpause_${name}`,
      help,
      labelNames: ['kind', 'level', 'state'],
      registers,
      async collect() {
        const found = await read();
        this.reset();
        if (found === null) return;
        for (const [value, labels = {}] of samplesOf(found, given.clock.now())) this.set(labels, value);
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
