import { setTimeout as sleep } from 'node:timers/promises';
import type { Trouble } from '../run.ts';

const ROUNDS = 8;
const CUT_SHARE = 0.04;

/** By PostgreSQL's own hand, by the network all at once, and for some seconds one query in twenty-five. */
export function connectionsCut(): Trouble {
  return {
    happen: async (stage) => {
      const { proxy, postgres, dice } = stage;
      let terminated = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        await sleep(dice.between(500, 2_500));
        terminated += await postgres.terminateAllConnections();
        await sleep(dice.between(500, 2_500));
        proxy.cutAll();
        await sleep(dice.between(500, 2_500));
        proxy.cutShare = CUT_SHARE;
        await sleep(dice.between(1_000, 3_000));
        proxy.cutShare = 0;
      }
      stage.notes.push(`${terminated} connections terminated, ${proxy.cuts} cut`);
    },
  };
}
