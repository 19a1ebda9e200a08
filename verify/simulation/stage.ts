import { createVault } from '../../src/server/secrets.ts';
import type { Vault } from '../../src/server/secrets.ts';
import { SimulatedDatabase } from './database.ts';
import type { Dice } from '../fixtures/dice.ts';
import { createDice } from '../fixtures/dice.ts';
import { VirtualTime, rule } from './virtual-time.ts';

/** What is the same for every history of one run: it is dear to make. */
export interface Stage {
  database: SimulatedDatabase;
  time: VirtualTime;
  vault: Vault;
  /** The dice of whoever asks the system for chance. */
  dice: { current: Dice };
}

export async function buildStage(): Promise<Stage> {
  const database = await SimulatedDatabase.open();
  const time = new VirtualTime(0);
  const dice = { current: createDice('nobody') };
  const vault = createVault(['canary-encryption-key-of-32-characters-and-more']);
  rule(time, () => dice.current);
  return { database, time, vault, dice };
}
