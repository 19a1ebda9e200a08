import { killAtRandom } from '../killer.ts';
import type { Trouble } from '../run.ts';

/** Kills whichever process the dice say, and starts it again, so many times. */
export function killed({ kills, onKill }: { kills: number; onKill?: (done: number) => void }): Trouble {
  return { happen: (stage) => killAtRandom(stage, kills, onKill) };
}
