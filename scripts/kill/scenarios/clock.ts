import { setTimeout as sleep } from 'node:timers/promises';
import type { Trouble } from '../run.ts';

const MINUTE_MS = 60_000;
/** Minutes away from the real clock, one after the other; the end is the real one again. */
const JUMPS = [2, -3, 61, 60, -30, 24 * 60, 0, 5, -5, 0];

/** Puts the clocks of all processes forwards and back, and kills one between the jumps. */
export function clockJumps(): Trouble {
  return {
    happen: async (stage, story) => {
      story.clockJumped = true;
      const { fleet, dice } = stage;
      for (const [at, jump] of JUMPS.entries()) {
        await sleep(dice.between(2_500, 5_000));
        fleet.setClock(jump * MINUTE_MS);
        if (at % 3 !== 2) continue;
        await sleep(dice.between(300, 1_500));
        const slot = Math.floor(dice.roll() * fleet.size);
        await fleet.kill(slot);
        await fleet.start(slot);
      }
      await sleep(3_000);
      stage.notes.push(`the clock jumped ${JUMPS.length} times, by up to a day`);
    },
  };
}
