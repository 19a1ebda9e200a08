import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { LEVELS } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Gauges } from '../db/reports/gauges.ts';
import type { StoredState } from '../stored-state.ts';

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

interface StoredGauge {
  name: string;
  help: string;
  labelNames?: string[];
  values: (stored: Gauges, now: Instant) => Values;
}

const only = (value: number | null): Values => (value === null ? [] : [[{}, value]]);
const agoS = (at: Instant | null, now: Instant): number | null =>
  at === null ? null : Math.max(0, now - at) / 1000;
const byState = (counts: Record<string, number>): Values =>
  Object.entries(counts).map(([state, count]) => [{ state }, count]);

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
    name: 'smartpause_holds_in_doubt',
    help: 'Holds of which nobody has known for a minute whether the last write was carried out.',
    values: ({ holdsInDoubt }) => only(holdsInDoubt),
  },
  {
    name: 'smartpause_queue_lanes',
    help: 'Ad accounts in the queue: due, being worked on, left alone because of their limit, or planned for later.',
    labelNames: ['state'],
    values: ({ lanes }) => byState(lanes),
  },
  {
    name: 'smartpause_queue_oldest_due_seconds',
    help: 'For how long the first of those that are due has been so; 0: none is.',
    values: ({ oldestDueAt }, now) => only(agoS(oldestDueAt, now) ?? 0),
  },
  {
    name: 'smartpause_lanes_failing',
    help: 'Ad accounts whose last look has failed.',
    values: ({ lanesFailing }) => only(lanesFailing),
  },
  {
    name: 'smartpause_mails_waiting',
    help: 'Mails that are written and not sent.',
    values: ({ mailsWaiting }) => only(mailsWaiting),
  },
  {
    name: 'smartpause_mails_oldest_waiting_seconds',
    help: 'Since the first of them was begun; 0: there is none.',
    values: ({ oldestMailAt }, now) => only(agoS(oldestMailAt, now) ?? 0),
  },
];

/** What is in the database, asked for when somebody asks. Without it all of these are absent, and the last one is 0. */
export function addStoredGauges(
  registry: Registry,
  deps: { stored: () => Promise<StoredState>; clock: Clock },
): void {
  const stored = (): Promise<Gauges | null> =>
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
        // Without labels a gauge that was reset is 0, which nobody has said.
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
