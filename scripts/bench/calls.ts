import { join } from 'node:path';
import { createTokenCipher } from '../../src/server/secrets.ts';
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

/** Requests for many pages, compared with bare routes that run the same queries on the same database. */
const POPULATION = { users: 1000, accountsEach: 1, campaignsEach: 50 };
const CLIENTS = 50;
const REQUESTS = 4000;
const REPETITIONS = 3;
const LEAST = 0.8;
/** What one process must serve of the public status page. */
const PAGES_PER_SECOND = 1000;

export async function run(): Promise<Figure[]> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await ownDatabase();
  const servers: MeasuredProcess[] = [];
  try {
    const tokens = await plantCrowd(simulators.graph, POPULATION);
    const at = new Date();
    const sessions = await database.during(async (db) => {
      await plantRows(db, POPULATION, at);
      await plantTokens(db, createTokenCipher([database.encryptionKey]), tokens, at);
      return startSessions(db, POPULATION.users, at);
    });
    const common = { ...simulators.environment, ...database.environment };
    // Every request has another address, so that the rate limit per address does not apply.
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
    const paths: [string, (user: number) => string][] = [
      ['/api/me', () => '/api/me'],
      ['/api/status', () => '/api/status'],
      ['/api/user/status', () => '/api/user/status'],
      ['/api/campaigns/{id}', (user) => `/api/campaigns/${accountIdOf(user)}`],
    ];
    const figures: Figure[] = [];
    for (const [name, pathOf] of paths) {
      const asked = sessions.map((token, user) => ({
        path: pathOf(user),
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': addressOf(user) },
      }));
      figures.push(await compare(`GET ${name}, ${CLIENTS} clients`, { productUrl, bareUrl, asked }));
    }
    figures.push(await measurePublicPage(productUrl));
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

/** Sends the same requests to both servers, alternately. */
async function compare(what: string, { productUrl, bareUrl, asked }: Compared): Promise<Figure> {
  const load = (origin: string, requests: number) => ask({ origin, clients: CLIENTS, requests, asked });
  for (const origin of [productUrl, bareUrl]) await load(origin, POPULATION.users);
  const ours: LoadResult[] = [];
  const bare: LoadResult[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    ours.push(await load(productUrl, REQUESTS));
    bare.push(await load(bareUrl, REQUESTS));
  }
  const [own, other] = [ours, bare].map((all) => median(all.map(({ perSecond }) => perSecond)));
  const [ownP99, otherP99] = [ours, bare].map((all) => median(all.map(({ p99Ms }) => p99Ms)));
  return {
    what,
    measured: `${(own ?? 0).toFixed(0)} a second, p99 ${inMs(ownP99 ?? 0)}`,
    yardstick: `a bare route: ${(other ?? 0).toFixed(0)} a second, p99 ${inMs(otherP99 ?? 0)}`,
    ratio: (own ?? 0) / (other ?? 1),
    limit: { atLeast: LEAST },
  };
}

/** The public status page, from many addresses. */
async function measurePublicPage(origin: string): Promise<Figure> {
  const asked = Array.from({ length: POPULATION.users }, (_, visitor) => ({
    path: '/status',
    headers: { 'x-forwarded-for': addressOf(visitor) },
  }));
  const results: LoadResult[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
    results.push(await ask({ origin, clients: CLIENTS, requests: REQUESTS, asked }));
  const perSecond = median(results.map((result) => result.perSecond));
  return {
    what: 'GET /status',
    measured: `${perSecond.toFixed(0)} a second, p99 ${inMs(median(results.map(({ p99Ms }) => p99Ms)))}`,
    yardstick: `limit ${PAGES_PER_SECOND} a second`,
    ratio: perSecond / PAGES_PER_SECOND,
    limit: { atLeast: 1 },
  };
}

const addressOf = (user: number): string => `10.1.${Math.floor(user / 250)}.${(user % 250) + 1}`;
