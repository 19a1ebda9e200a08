import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { plantCrowd } from './parts/crowd.ts';
import type { Figure } from './parts/figure.ts';
import type { MeasuredProcess } from './parts/measured-process.ts';
import { plantRows, plantTokens } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';
import { startProduct } from './parts/start-product.ts';

/** Measures an idle process with the default poll of the status page. */
const POPULATION = { users: 1000, accountsEach: 2, campaignsEach: 5 };
const SETTLE_MS = 15_000;
const MEASURED_MS = 60_000;
const MOST_PERCENT = 2;

export async function run(): Promise<Figure[]> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await ownDatabase();
  let product: MeasuredProcess | null = null;
  try {
    const tokens = await plantCrowd(simulators.graph, POPULATION);
    const at = new Date();
    await database.during(async (db) => {
      await plantRows(db, POPULATION, at);
      await plantTokens(db, createTokenCipher([database.encryptionKey]), tokens, at);
    });
    ({ process: product } = await startProduct({ ...simulators.environment, ...database.environment }));
    await sleep(SETTLE_MS);
    await product.usage();
    await sleep(MEASURED_MS);
    const { cpuMs, wallMs } = await product.usage();
    const percent = (cpuMs / wallMs) * 100;
    return [
      {
        what: `idle with ${POPULATION.users.toLocaleString('en')} users`,
        measured: `${percent.toFixed(1)} % of a core`,
        yardstick: `limit ${MOST_PERCENT} %`,
        ratio: percent / MOST_PERCENT,
        limit: { atMost: 1 },
      },
    ];
  } finally {
    await product?.stop();
    await database.close();
    await simulators.stop();
  }
}
