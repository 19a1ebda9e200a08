import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../scripts/outside/free-port.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import type { Dice } from '../fixtures/dice.ts';
import { createDice } from '../fixtures/dice.ts';
import { Processes } from '../fixtures/processes.ts';
import { surround } from '../fixtures/surroundings.ts';
import type { Look } from '../invariants/snapshot.ts';
import type { ExternalChange, StatusChange, UserCall } from '../invariants/write-log.ts';
import type { Cast } from './cast.ts';
import { enterCast } from './cast.ts';

export interface StageOptions {
  processes: number;
  users: number;
  seed: number;
  /** Undefined: a PostgreSQL server is started for this run. */
  postgresUrl?: string;
}

/** All that was done from the outside. */
export interface Story {
  statusChanges: StatusChange[];
  externalChanges: ExternalChange[];
  calls: UserCall[];
  faults: number;
}

/** The product's processes, everything around them, and what was done from the outside. */
export interface Stage {
  dice: Dice;
  simulators: Simulators;
  processes: Processes;
  cast: Cast;
  story: Story;
  look: Look;
  secrets: string[];
  readLog: () => Promise<string>;
  close: () => Promise<void>;
}

/** How long Meta takes for each response, so that processes are killed in the middle of calls. */
const LATENCY_MS = 40;
const LEASE_MS = 3000;

export async function setStage({ processes: count, users, seed, postgresUrl }: StageOptions): Promise<Stage> {
  const around = await surround(postgresUrl);
  const closing: (() => Promise<unknown>)[] = [() => around.close()];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const { simulators, folder, webFolder } = around;
    const logFile = join(folder, 'log');
    const ports = await freePorts(count);
    const processes = new Processes(ports, {
      program: [join(import.meta.dirname, '../fixtures/product.ts'), webFolder, String(LEASE_MS)],
      logFile,
      environment: {
        ...around.environment,
        PUBLIC_URL: `http://127.0.0.1:${ports[0] ?? 0}`,
        STATUS_POLL_SECONDS: '0.2',
        LOG_LEVEL: 'info',
      },
    });
    closing.push(() => processes.killAll());
    await processes.startAll();
    const cast = await enterCast(simulators, `http://127.0.0.1:${ports[0] ?? 0}`, users);
    await simulators.graph.post('/latency', { ms: LATENCY_MS });
    const pool = new pg.Pool({ connectionString: around.databaseUrl, max: 2 });
    // Its connections end with those of the product.
    pool.on('error', () => undefined);
    closing.push(() => pool.end());
    return {
      dice: createDice(String(seed)),
      simulators,
      processes,
      cast,
      story: { statusChanges: [], externalChanges: [], calls: [], faults: 0 },
      look: async <R>(sql: string) => (await pool.query<pg.QueryResultRow>(sql)).rows as R[],
      secrets: [...around.secrets, ...cast.users.map(({ session }) => session.token)],
      readLog: () => readFile(logFile, 'utf8'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
