import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending } from '../../outside/own-postgres.ts';
import type { Trouble } from '../run.ts';

const ENDINGS: Ending[] = ['fast', 'immediate', 'SIGKILL'];
const ROUNDS = 3;

/** Each ending three times, away for up to four seconds; and after each a backend is killed. */
export function postgresEnds(): Trouble {
  return {
    happen: async (stage) => {
      const { postgres } = stage;
      for (const how of Array.from({ length: ROUNDS }, () => ENDINGS).flat()) {
        await sleep(stage.dice.between(1_000, 3_000));
        await postgres.end(how);
        await sleep(stage.dice.between(200, 4_000));
        await postgres.startAgain();
        await sleep(stage.dice.between(1_500, 4_000));
        await postgres.killBackend();
        stage.notes.push(`PostgreSQL ended: ${how}, then one of its processes killed`);
      }
      await sleep(3_000);
    },
  };
}
