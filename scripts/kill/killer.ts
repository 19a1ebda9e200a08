import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

/** Some are killed while they start, the others at any moment after that. */
const WHILE_STARTING_SHARE = 0.12;
const LIVES_MS = { least: 100, most: 1_300 };

/** Kills processes at random moments and starts each again, so many times. */
export async function killAtRandom(
  stage: Stage,
  times: number,
  onKill: (done: number) => void = () => undefined,
): Promise<void> {
  const { fleet, dice } = stage;
  for (let done = 0; done < times; done += 1) {
    const slot = Math.floor(dice.roll() * fleet.size);
    await sleep(dice.between(LIVES_MS.least, LIVES_MS.most));
    await fleet.kill(slot);
    onKill(done + 1);
    const isNextEarly = dice.chance(WHILE_STARTING_SHARE) && done + 1 < times;
    if (isNextEarly) {
      fleet.begin(slot);
      await sleep(dice.between(LIVES_MS.least, LIVES_MS.most));
      await fleet.kill(slot);
      done += 1;
      onKill(done + 1);
    }
    await fleet.start(slot);
  }
}
