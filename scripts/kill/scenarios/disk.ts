import { setTimeout as sleep } from 'node:timers/promises';
import type { Trouble } from '../run.ts';

const ROUNDS = 3;

/** Fills the disk, waits, makes room again. Whatever has given up meanwhile is started again, as it would be. */
export function diskFull(): Trouble {
  return {
    happen: async (stage) => {
      const { disk, postgres, fleet, dice } = stage;
      if (disk === null) throw new Error('this scenario needs a disk of its own');
      for (let round = 0; round < ROUNDS; round += 1) {
        await sleep(dice.between(2_000, 4_000));
        disk.fill();
        await sleep(dice.between(6_000, 10_000));
        disk.free();
        const postgresGaveUp = postgres !== null && !postgres.isRunning;
        if (postgresGaveUp) await postgres.start();
        const ended = fleet.unexpectedEnds.splice(0).length;
        await fleet.restartEnded();
        stage.notes.push(
          `full: ${postgresGaveUp ? 'PostgreSQL gave up, ' : ''}${ended} processes of ours ended by themselves`,
        );
        await sleep(4_000);
      }
    },
  };
}
