import { join } from 'node:path';
import { createVault } from '../../src/server/secrets.ts';
import { freePort } from '../outside/free-port.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { ask } from './parts/ask.ts';
import { plantCrowd } from './parts/crowd.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, median } from './parts/figure.ts';
import type { LoadResult } from './parts/load.ts';
import { MeasuredProcess } from './parts/measured-process.ts';
import { accountIdOf, plantRows, plantTokens, startSessions } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';
import { startProduct } from './parts/start-product.ts';

/** Calls of many pages, against bare routes that run the same queries on the same database. */
const POPULATION = { people: 1000, accountsEach: 1, campaignsEach: 50 };
const CLIENTS = 50;
const REQUESTS = 4000;
const ROUNDS = 3;
const LEAST = 0.8;

export async function run(): Promise<Figure[]> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await ownDatabase();
  const servers: MeasuredProcess[] = [];
  try {
    const tokens = await plantCrowd(simulators.graph, POPULATION);
    const at = new Date();
    const sessions = await database.during(async (db) => {
      await plantRows(db, POPULATION, at);
      await plantTokens(db, createVault([database.encryptionKey]), tokens, at);
      return startSessions(db, POPULATION.people, at);
    });
    const common = { ...simulators.environment, ...database.environment };
    // The limit for one address is not what is measured: everybody comes from another.
    const product = await startProduct({ ...common, TRUST_PROXY: '1' });
    const productUrl = product.url;
    const barePort = await freePort();
    servers.push(
      product.process,
      await MeasuredProcess.start([join(import.meta.dirname, 'parts/bare-server.ts')], {
        readyAt: /ready/,
        environment: { ...common, PORT: String(barePort) },
      }),
    );
    const bareUrl = `http://127.0.0.1:${barePort}`;
    const paths: [string, (person: number) => string][] = [
      ['/api/me', () => '/api/me'],
      ['/api/status', () => '/api/status'],
      ['/api/user/status', () => '/api/user/status'],
      ['/api/campaigns/{id}', (person) => `/api/campaigns/${accountIdOf(person)}`],
    ];
    const figures: Figure[] = [];
    for (const [name, pathOf] of paths) {
      const asked = sessions.map((token, person) => ({
        path: pathOf(person),
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': addressOf(person) },
      }));
      figures.push(await compare(`GET ${name}, ${CLIENTS} clients`, { productUrl, bareUrl, asked }));
    }
    return figures;
  } finally {
    for (const one of servers) await one.stop();
    await database.close();
    await simulators.stop();
  }
}

interface Compared {
  productUrl: string;
  bareUrl: string;
  asked: { path: string; headers: Record<string, string> }[];
}

/** The same requests to both, alternately. */
async function compare(what: string, { productUrl, bareUrl, asked }: Compared): Promise<Figure> {
  const load = (origin: string, requests: number) => ask({ origin, clients: CLIENTS, requests, asked });
  for (const origin of [productUrl, bareUrl]) await load(origin, POPULATION.people);
  const ours: LoadResult[] = [];
  const bare: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await load(productUrl, REQUESTS));
    bare.push(await load(bareUrl, REQUESTS));
  }
  const [own, other] = [ours, bare].map((all) => median(all.map(({ perSecond }) => perSecond)));
  const [ownP99, otherP99] = [ours, bare].map((all) => median(all.map(({ p99Ms }) => p99Ms)));
  return {
    what,
    measured: `${Math.round(own ?? 0)} a second, p99 ${inMs(ownP99 ?? 0)}`,
    yardstick: `a bare route: ${Math.round(other ?? 0)} a second, p99 ${inMs(otherP99 ?? 0)}`,
    ratio: (own ?? 0) / (other ?? 1),
    limit: { atLeast: LEAST },
  };
}

const addressOf = (person: number): string => `10.1.${Math.floor(person / 250)}.${(person % 250) + 1}`;
