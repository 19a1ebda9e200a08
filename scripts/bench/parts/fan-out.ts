import { join } from 'node:path';
import { createVault } from '../../../src/server/secrets.ts';
import { ControlDoor } from '../../outside/control-door.ts';
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
  /** How many ad accounts each process works on at a time. */
  concurrency: number;
  /** Fewer on a machine that is slower than the one that this was set for. */
  isCarriedByMachine?: boolean;
  processes: number;
  latencyMs: number;
  /** The limits that the platform has for each ad account. */
  tier: 'standard_access' | 'development_access';
}

export interface FanOutResult {
  /** As was asked for, or as many as the machine carries. */
  concurrency: number;
  /** From the first call to the last confirmed write. */
  tookMs: number;
  /** The same calls without a product, just before. */
  bareMs: number;
  /** Calls times latency, divided by the concurrency. */
  idealMs: number;
  calls: number;
  /** The most that were under way at a time. */
  most: number;
  products: Usage[];
  /** The platform's own process meanwhile. */
  platform: Usage;
  platformWhenBare: Usage;
  /** The place in the order of all writes at which the last of the 1,000 dearest campaigns was paused. */
  dearestDoneAt: number;
  /** Calls that the platform refused because of its limits. */
  refused: number;
}

const POLL_SECONDS = 1;
const DEAREST = 1000;
const WAIT_MS = 900_000;
/** What one bare call costs the platform's process, at most, on a machine that carries all that is asked for. */
const COST_OF_CALL_MS = 0.25;
/** A slower one is used by others as well, and has to have something to spare. */
const COST_WITH_ROOM_MS = 0.15;
const LEAST_CONCURRENCY = 20;
const CALIBRATING_ACCOUNTS = 500;

/** A disruption is reported, and everybody's campaigns are paused. */
export async function fanOut(options: FanOut): Promise<FanOutResult> {
  const { population, processes, latencyMs } = options;
  const accounts = population.people * population.accountsEach;
  const campaigns = accounts * population.campaignsEach;
  const graphProcess = await startGraph();
  const graph = new ControlDoor(graphProcess.url);
  const others = await startSimulators(
    SIMULATORS.filter((name) => name !== 'meta-graph'),
    'free',
  );
  const database = await ownDatabase();
  const products: MeasuredProcess[] = [];
  try {
    const everybody = await plant(graph, database, population);
    await graph.post('/latency', { ms: latencyMs });
    await graphProcess.process.usage();
    const { isCarriedByMachine = false } = options;
    const concurrency = isCarriedByMachine
      ? await calibrate(options.concurrency, graphProcess, everybody.slice(0, CALIBRATING_ACCOUNTS))
      : options.concurrency;
    const bareMs = await callBarely({
      graphUrl: graph.url,
      concurrency: concurrency * processes,
      accounts: everybody,
    });
    const platformWhenBare = await graphProcess.process.usage();
    await graph.post('/limits', { tier: options.tier });

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
    await waitFor('a reading of the status page', async () => (await others.status.requests()).length > 2);
    const seen = await watchOutage(graphProcess, products, {
      campaigns,
      begin: () => others.status.reports('High disruptions'),
    });
    return {
      ...seen.result,
      concurrency,
      bareMs,
      idealMs: (accounts * 2 * latencyMs) / (concurrency * processes),
      platformWhenBare,
      dearestDoneAt: dearestDoneAt(seen.order, population),
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

/** Users and their campaigns, at the platform and in the product's database. @returns the ad accounts */
async function plant(
  graph: ControlDoor,
  database: Awaited<ReturnType<typeof ownDatabase>>,
  population: Population,
): Promise<BareCalls['accounts']> {
  const { people, accountsEach, campaignsEach } = population;
  const tokens = await plantCrowd(graph, population);
  const at = new Date();
  await database.during(async (db) => {
    await plantRows(db, population, at);
    await plantTokens(db, createVault([database.encryptionKey]), tokens, at);
  });
  return Array.from({ length: people * accountsEach }, (_, account) => ({
    id: accountIdOf(account),
    token: tokens[Math.floor(account / accountsEach)] ?? '',
    campaignIds: Array.from({ length: campaignsEach }, (_, index) =>
      campaignIdOf(account * campaignsEach + index),
    ),
  }));
}

/** @returns figures of one outage, and the campaigns in the order in which they were paused */
async function watchOutage(
  graphProcess: GraphProcess,
  products: readonly MeasuredProcess[],
  { campaigns, begin }: { campaigns: number; begin: () => Promise<unknown> },
) {
  const graph = new ControlDoor(graphProcess.url);
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
  const { refused } = await graph.ask<{ refused: number }>('GET', '/limits');
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
    result: { tookMs, calls, most, products: used, platform, refused },
    order: writes.map(({ campaign }) => campaign),
  };
}

/** How many calls at a time this machine carries, by what the bare calls cost the platform's process. */
async function calibrate(
  wanted: number,
  { url: graphUrl, process: platform }: GraphProcess,
  accounts: BareCalls['accounts'],
): Promise<number> {
  // Once for the platform's process to have warmed up.
  await callBarely({ graphUrl, concurrency: wanted, accounts });
  await platform.usage();
  await callBarely({ graphUrl, concurrency: wanted, accounts });
  return carriedConcurrency(wanted, (await platform.usage()).cpuMs / (2 * accounts.length));
}

/** What a fixed program costs tells how fast the machine is; half as fast a machine is given half as much to do at a time. */
function carriedConcurrency(wanted: number, costMs: number): number {
  if (costMs <= COST_OF_CALL_MS) return wanted;
  const carried = (wanted * COST_WITH_ROOM_MS) / costMs;
  return Math.max(LEAST_CONCURRENCY, Math.round(carried / 10) * 10);
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

/** In a process of its own, so that what it uses can be told from the rest. */
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

/** Ad accounts are worked on whole: the dearest are those whose campaigns together spend most. */
function dearestDoneAt(
  order: readonly string[],
  { campaignsEach, people, accountsEach }: Population,
): number {
  const spendOf = (account: number): number =>
    Array.from({ length: campaignsEach }, (_, index) => budgetOf(account * campaignsEach + index)).reduce(
      (sum, one) => sum + one,
      0,
    );
  const dearest = Array.from({ length: people * accountsEach }, (_, account) => account)
    .toSorted((a, b) => spendOf(b) - spendOf(a))
    .slice(0, Math.ceil(DEAREST / campaignsEach));
  const wanted = new Set(
    dearest.flatMap((account) =>
      Array.from({ length: campaignsEach }, (_, index) => campaignIdOf(account * campaignsEach + index)),
    ),
  );
  return order.findLastIndex((campaign) => wanted.has(campaign)) + 1;
}
