import { join } from 'node:path';
import { createTokenCipher } from '../../../src/server/secrets.ts';
import { ControlClient } from '../../outside/control-client.ts';
import { freePort } from '../../outside/free-port.ts';
import type { SimulatorName } from '../../outside/simulators.ts';
import { SIMULATED_APP, SIMULATORS, startSimulators } from '../../outside/simulators.ts';
import { waitFor } from '../../outside/wait-for.ts';
import { ROOT } from '../../run.ts';
import type { BareCalls } from './bare-fan-out.ts';
import { callBarely } from './bare-fan-out.ts';
import { plantCrowd } from './crowd.ts';
import type { Usage } from './measured-process.ts';
import { MeasuredProcess } from './measured-process.ts';
import type { Population } from './population.ts';
import { accountIdOf, budgetOf, campaignIdOf, plantRows, plantTokens } from './population.ts';
import { ownDatabase } from './stage.ts';
import { startProduct } from './start-product.ts';

export interface FanOut {
  population: Population;
  /** The number of ad accounts that each process works on at a time. */
  concurrency: number;
  processes: number;
  latencyMs: number;
}

export interface FanOutResult {
  /** From the first call to the last confirmed write. */
  tookMs: number;
  /** The same calls without the product, measured just before. */
  bareMs: number;
  /** Calls times latency, divided by the concurrency. */
  idealMs: number;
  calls: number;
  /** The highest number of concurrent calls. */
  most: number;
  products: Usage[];
  /** Usage of the simulator's process during the run. */
  platform: Usage;
  platformWhenBare: Usage;
  /** The position, among all writes, of the last pause of the 1,000 campaigns with the highest budget. */
  highestBudgetDoneAt: number;
}

const POLL_SECONDS = 1;
const HIGHEST_BUDGET_COUNT = 1000;
const WAIT_MS = 900_000;

/** Reports a disruption and measures until all campaigns are paused. */
export async function fanOut(options: FanOut): Promise<FanOutResult> {
  const { population, concurrency, processes, latencyMs } = options;
  const accounts = population.users * population.accountsEach;
  const campaigns = accounts * population.campaignsEach;
  const graphProcess = await startGraph();
  const graph = new ControlClient(graphProcess.url);
  const others = await startSimulators(
    SIMULATORS.filter((name) => name !== 'meta-graph'),
    'free',
  );
  const database = await ownDatabase();
  const products: MeasuredProcess[] = [];
  try {
    const planted = await plant(graph, database, population);
    await graph.post('/latency', { ms: latencyMs });
    await graphProcess.process.usage();
    const bareMs = await callBarely({
      graphUrl: graph.url,
      concurrency: concurrency * processes,
      accounts: planted,
    });
    const platformWhenBare = await graphProcess.process.usage();
    await others.status.reports('No known issues');
    const environment = {
      ...others.environment,
      ...database.environment,
      ...settingsOf(graph.url, processes),
    };
    for (let one = 0; one < processes; one += 1) {
      const { process: product } = await startProduct(environment, concurrency);
      product.watchLoop();
      products.push(product);
    }
    await others.status.ask('DELETE', '/requests');
    await waitFor('a read of the status page', async () => (await others.status.requests()).length > 2);
    const seen = await watchOutage(graphProcess, products, {
      campaigns,
      begin: () => others.status.reports('High disruptions'),
    });
    return {
      ...seen.result,
      bareMs,
      idealMs: (accounts * 2 * latencyMs) / (concurrency * processes),
      platformWhenBare,
      highestBudgetDoneAt: highestBudgetDoneAt(seen.order, population),
    };
  } finally {
    await Promise.all(products.map((one) => one.stop()));
    await database.close();
    await others.stop();
    await graphProcess.process.stop();
  }
}

function settingsOf(graphUrl: string, processes: number) {
  return {
    ...SIMULATED_APP,
    META_GRAPH_URL: graphUrl,
    META_DIALOG_URL: graphUrl,
    STATUS_POLL_SECONDS: String(POLL_SECONDS),
    ROLE: processes === 1 ? 'all' : 'worker',
    LOG_LEVEL: 'info',
  };
}

/** Creates users and campaigns in the simulator and in the product's database. @returns the ad accounts */
async function plant(
  graph: ControlClient,
  database: Awaited<ReturnType<typeof ownDatabase>>,
  population: Population,
): Promise<BareCalls['accounts']> {
  const { users, accountsEach, campaignsEach } = population;
  const tokens = await plantCrowd(graph, population);
  const at = new Date();
  await database.during(async (db) => {
    await plantRows(db, population, at);
    await plantTokens(db, createTokenCipher([database.encryptionKey]), tokens, at);
  });
  return Array.from({ length: users * accountsEach }, (_, account) => ({
    id: accountIdOf(account),
    token: tokens[Math.floor(account / accountsEach)] ?? '',
    campaignIds: Array.from({ length: campaignsEach }, (_, index) =>
      campaignIdOf(account * campaignsEach + index),
    ),
  }));
}

/** @returns figures of one outage, and the campaigns in the order of their pauses */
async function watchOutage(
  graphProcess: GraphProcess,
  products: readonly MeasuredProcess[],
  { campaigns, begin }: { campaigns: number; begin: () => Promise<unknown> },
) {
  const graph = new ControlClient(graphProcess.url);
  const before = (await graph.ask<Tally>('GET', '/writes/tally')).writes;
  await graph.ask('DELETE', '/requests');
  for (const one of [graphProcess.process, ...products]) await one.usage();
  await begin();
  const last = await waitFor(
    'all campaigns to be paused',
    async () => {
      const tally = await graph.ask<Tally>('GET', '/writes/tally');
      return tally.writes - before >= campaigns ? tally : null;
    },
    WAIT_MS,
  );
  const { requests: calls, firstAt, most } = await graph.ask<RequestTally>('GET', '/requests/tally');
  const platform = await graphProcess.process.usage();
  const used = await Promise.all(products.map((one) => one.usage()));
  const writes = (await graph.writes()).slice(before);
  const wrong = writes.filter(({ status, previous }) => status !== 'PAUSED' || previous !== 'ACTIVE');
  if (wrong.length > 0 || writes.length !== campaigns) {
    const some = JSON.stringify([...wrong.slice(0, 5)]);
    throw new Error(
      `not every campaign was paused once: ${writes.length} writes for ${campaigns} campaigns, ${wrong.length} wrong: ${some}`,
    );
  }
  const tookMs = Date.parse(last.lastAt ?? '') - (firstAt ?? 0);
  return {
    result: { tookMs, calls, most, products: used, platform },
    order: writes.map(({ campaign }) => campaign),
  };
}

interface Tally {
  writes: number;
  lastAt: string | null;
}

interface RequestTally {
  requests: number;
  firstAt: number | null;
  most: number;
}

const GRAPH: SimulatorName = 'meta-graph';

interface GraphProcess {
  url: string;
  process: MeasuredProcess;
}

/** A separate process, so that its usage is measured separately. */
async function startGraph(): Promise<GraphProcess> {
  const port = await freePort();
  const program = [
    join(ROOT, 'simulators/main.ts'),
    '--only',
    GRAPH,
    '--with-parent',
    '--meta-graph-port',
    String(port),
  ];
  const process = await MeasuredProcess.start(program, { environment: {}, readyAt: /"meta-graph"/ });
  return { url: `http://127.0.0.1:${port}`, process };
}

/** Ad accounts are processed whole: highest budget first, by the total budget of the account's campaigns. */
function highestBudgetDoneAt(
  order: readonly string[],
  { campaignsEach, users, accountsEach }: Population,
): number {
  const spendOf = (account: number): number =>
    Array.from({ length: campaignsEach }, (_, index) => budgetOf(account * campaignsEach + index)).reduce(
      (sum, one) => sum + one,
      0,
    );
  const highestBudget = Array.from({ length: users * accountsEach }, (_, account) => account)
    .toSorted((a, b) => spendOf(b) - spendOf(a))
    .slice(0, Math.ceil(HIGHEST_BUDGET_COUNT / campaignsEach));
  const wanted = new Set(
    highestBudget.flatMap((account) =>
      Array.from({ length: campaignsEach }, (_, index) => campaignIdOf(account * campaignsEach + index)),
    ),
  );
  return order.findLastIndex((campaign) => wanted.has(campaign)) + 1;
}
