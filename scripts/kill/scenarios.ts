import type { Trouble } from './run.ts';
import { clockJumps } from './scenarios/clock.ts';
import { connectionsCut } from './scenarios/connections.ts';
import { diskFull } from './scenarios/disk.ts';
import { drained } from './scenarios/drain.ts';
import { killed } from './scenarios/kills.ts';
import { postgresEnds } from './scenarios/postgres-ends.ts';
import type { StageOptions } from './stage.ts';

export interface Scenario {
  name: string;
  what: string;
  processes: number;
  stage: Omit<StageOptions, 'processes' | 'seed'>;
  trouble: (asked: Asked) => Trouble;
}

export interface Asked {
  kills: number;
  onKill: (done: number) => void;
}

const SMALL = { people: 4, withDelay: false };
/** The work of a dead process waits for its lease: half a minute would leave little to be killed. */
const SHORT_LEASE_MS = 3_000;

export const SCENARIOS: Scenario[] = [
  {
    name: 'kills',
    what: 'the server is killed (SIGKILL) at random moments under load',
    processes: 1,
    stage: { people: 8, withDelay: true, leaseMs: SHORT_LEASE_MS },
    trouble: killed,
  },
  {
    name: 'processes',
    what: 'several processes share the work, and any of them is killed',
    processes: 3,
    stage: { people: 8, withDelay: true, leaseMs: SHORT_LEASE_MS },
    trouble: ({ kills, onKill }) => killed({ kills: Math.ceil(kills / 4), onKill }),
  },
  {
    name: 'as-started',
    what: 'ten kills of what npm start runs, with its own lease of half a minute',
    processes: 2,
    stage: { ...SMALL, leaseMs: null },
    trouble: ({ onKill }) => killed({ kills: 10, onKill }),
  },
  {
    name: 'postgres-ends',
    what: 'PostgreSQL is stopped, stopped at once, killed, and loses a process to a kill',
    processes: 2,
    stage: { ...SMALL, leaseMs: SHORT_LEASE_MS },
    trouble: () => postgresEnds(),
  },
  {
    name: 'connections',
    what: 'connections to PostgreSQL are ended by it, cut all at once, and cut in the middle of queries',
    processes: 2,
    stage: { ...SMALL, leaseMs: SHORT_LEASE_MS },
    trouble: () => connectionsCut(),
  },
  {
    name: 'disk',
    what: 'the disk under the database is full, and has room again',
    processes: 1,
    stage: { ...SMALL, leaseMs: SHORT_LEASE_MS, diskMegabytes: 400 },
    trouble: () => diskFull(),
  },
  {
    name: 'clock',
    what: 'the clock of the machine jumps forwards and back',
    processes: 2,
    stage: { ...SMALL, leaseMs: SHORT_LEASE_MS },
    trouble: () => clockJumps(),
  },
  {
    name: 'drain',
    what: 'SIGTERM under load, with the own lease of half a minute: drained within 10 s, and another goes on at once',
    processes: 2,
    stage: { ...SMALL, leaseMs: null },
    trouble: () => drained(),
  },
];
