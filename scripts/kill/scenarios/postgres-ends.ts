import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending, OwnPostgres } from '../../outside/own-postgres.ts';
import type { Trouble } from '../run.ts';
import type { Stage } from '../stage.ts';

const ENDINGS: Ending[] = ['fast', 'immediate', 'SIGKILL'];
const ROUNDS = 3;

export function requirePostgres({ postgres }: Stage): OwnPostgres {
  if (postgres === null) throw new Error('this scenario needs PostgreSQL');
  return postgres;
}

/** Each ending three times, away for up to four seconds; and after each a backend is killed. */
export function postgresEnds(): Trouble {
  return {
    happen: async (stage) => {
      const postgres = requirePostgres(stage);
      for (const how of Array.from({ length: ROUNDS }, () => ENDINGS).flat()) {
        await sleep(stage.dice.between(1_000, 3_000));
        await postgres.end(how);
        await sleep(stage.dice.between(200, 4_000));
        await postgres.start();
        await sleep(stage.dice.between(1_500, 4_000));
        await postgres.killBackend();
        stage.notes.push(`PostgreSQL ended: ${how}, then one of its processes killed`);
      }
      await sleep(3_000);
    },
  };
}
