import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../../scripts/outside/free-port.ts';
import type { Simulators } from '../../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { KEY_OF_TESTS, newAdvertiser } from '../../../test/support/product.ts';
import type { Wishes } from '../../../test/support/suite.ts';
import { writeDocuments } from '../../../test/support/web-folder.ts';
import type { CrashPoint } from './child.ts';
import { CrashingProduct } from './process.ts';

/** A statement of the product, or a call that Meta does not answer. */
export type Moment = CrashPoint | { fault: 'hang_before' | 'hang_after'; method: 'POST' | 'DELETE' };

/** The product in a process that can be killed, with the simulators and a database. */
export interface CrashSuite {
  simulators: Simulators;
  /** The status is UP, and the product runs. */
  advertiser: (wishes: Wishes) => Promise<Advertiser>;
  rows: (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Starts `go`, waits for the moment, kills the product there, and restarts it. */
  killedAt: (moment: Moment, who: Advertiser, go: () => Promise<unknown>) => Promise<void>;
}

/**
 * Call it inside `describe`.
 * @param aheadMs how far each restart sets the clock ahead: waits that the killed process began are over
 */
export function startCrashSuite({ aheadMs }: { aheadMs: number }): CrashSuite {
  const closing = new AsyncDisposableStack();
  let simulators: Simulators;
  let product: CrashingProduct;
  let database: FreshDatabase;
  let reader: pg.Client;
  let url: string;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    closing.defer(() => simulators.stop());
    const folder = await mkdtemp(join(tmpdir(), 'smartpause-crash-'));
    closing.defer(() => rm(folder, { recursive: true, force: true }));
    await writeDocuments(folder);
    database = await freshDatabase();
    closing.defer(() => database.close());
    reader = new pg.Client(database.url);
    await reader.connect();
    closing.defer(() => reader.end());
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    product = new CrashingProduct({
      ...simulators.environment,
      PORT: port,
      PUBLIC_URL: url,
      WEB_FOLDER: folder,
      STATUS_POLL_SECONDS: '0.1',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: KEY_OF_TESTS,
    });
    closing.defer(() => product.kill());
  });
  afterAll(() => closing.disposeAsync());

  const restart = (): Promise<void> => product.start(aheadMs);
  return {
    get simulators() {
      return simulators;
    },
    advertiser: async (wishes) => {
      await simulators.status.reports('Resolved');
      await product.startUnlessRunning();
      return newAdvertiser({ ...wishes, simulators, product: { url, clock: product } });
    },
    rows: async (text, values) => (await reader.query<Record<string, unknown>>(text, values)).rows,
    killedAt: async (moment, who, go) => {
      if ('statement' in moment) {
        await product.dieAt(moment);
        await Promise.all([go().catch(() => undefined), product.death()]);
        await restart();
        return;
      }
      const match = { method: moment.method, user: who.userId };
      const fault = await simulators.graph.fault({ kind: moment.fault, match, applyOnRelease: true });
      const going = go().catch(() => undefined);
      await waitFor('the call to hang', async () => (await simulators.graph.parked(fault)) === 1);
      await product.kill();
      await going;
      // Before the restart: by the product's clock, the call could not be carried out any more after it.
      await simulators.graph.ask('DELETE', `/faults/${fault}`);
      await restart();
    },
  };
}
