import { createVault } from '../../src/server/secrets.ts';
import type { Vault } from '../../src/server/secrets.ts';
import { SimulatedDatabase } from './world/database.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';
import { VirtualClock, installVirtualTime } from './world/virtual-time.ts';

/** What all histories of one process share, since it is slow to create. */
export interface Harness {
  database: SimulatedDatabase;
  time: VirtualClock;
  vault: Vault;
  /** Random numbers for the product and its libraries. */
  random: { current: Random };
}

export async function buildHarness(): Promise<Harness> {
  const database = await SimulatedDatabase.open();
  const time = new VirtualClock(0);
  const random = { current: createRandom('nobody') };
  const vault = createVault(['canary-encryption-key-of-32-characters-and-more']);
  installVirtualTime(time, () => random.current);
  return { database, time, vault, random };
}
