import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../outside/user.ts';
import type { Simulators } from '../outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { waitFor } from '../outside/wait-for.ts';
import type { Figure } from './parts/figure.ts';
import { inMs } from './parts/figure.ts';
import type { MeasuredProcess } from './parts/measured-process.ts';
import { ownDatabase } from './parts/stage.ts';
import { startProduct } from './parts/start-product.ts';

/**
 * The time from a change of the status page until the last of 50 campaigns of one account is paused.
 * Meta answers in 150 ms, the poll interval is the default. The limit is half the poll interval plus two
 * calls: read and batch.
 */
const CAMPAIGNS = 50;
const LATENCY_MS = 150;
/** The default of `npm start`. */
const POLL_MS = 10_000;
const REPETITIONS = 10;
const ACCOUNT = 'act_8000000000000001';
const IDS = Array.from(
  { length: CAMPAIGNS },
  (_, index) => `90000000000001${String(index).padStart(3, '0')}`,
);
const USER = {
  id: '7000000000000001',
  name: 'Some Body',
  accounts: [
    {
      id: ACCOUNT,
      name: 'Fifty campaigns',
      currency: 'USD',
      campaigns: IDS.map((id) => ({ id, name: `Campaign ${id}`, daily_budget: '1000' })),
    },
  ],
};

export async function run(): Promise<Figure[]> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await ownDatabase();
  let product: MeasuredProcess | null = null;
  try {
    await simulators.graph.post('/seed', { users: [USER] });
    const started = await startProduct({ ...simulators.environment, ...database.environment });
    product = started.process;
    await setUp(started.url, simulators);
    await simulators.graph.post('/latency', { ms: LATENCY_MS });
    const took: number[] = [];
    const calls: number[] = [];
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      // Spreads the changes over the interval between two polls.
      await sleep((POLL_MS * repetition) / REPETITIONS);
      await simulators.graph.ask('DELETE', '/requests');
      const changedAt = Date.now();
      await simulators.status.reports('High disruptions');
      await allToBe('PAUSED', simulators);
      const end = Date.parse((await simulators.graph.writes()).at(-1)?.at ?? '');
      took.push(end - changedAt);
      calls.push(end - (await firstCallAt(simulators)));
      await simulators.status.reports('Resolved');
      await allToBe('ACTIVE', simulators);
    }
    return figuresOf(took, calls);
  } finally {
    await product?.stop();
    await database.close();
    await simulators.stop();
  }
}

/**
 * @param took milliseconds of each run, from the change to the last paused campaign
 * @param calls the same from the first call on
 */
function figuresOf(took: readonly number[], calls: readonly number[]): Figure[] {
  const limit = POLL_MS / 2 + 2 * LATENCY_MS;
  return [
    {
      what: `reaction: status page to the last of ${CAMPAIGNS} campaigns paused, mean of ${REPETITIONS}`,
      measured: `${inMs(meanOf(took))} (longest ${inMs(Math.max(...took))})`,
      yardstick: `half the poll and two calls: ${inMs(limit)}`,
      ratio: meanOf(took) / limit,
      // By chance the changes may come a little early or late between two polls.
      limit: { atMost: 1.1 },
    },
    {
      what: 'reaction: first call to the last campaign paused, without the wait for the poll',
      measured: inMs(meanOf(calls)),
      yardstick: `two calls: ${inMs(2 * LATENCY_MS)}`,
      ratio: meanOf(calls) / (2 * LATENCY_MS),
      limit: null,
    },
  ];
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

async function setUp(url: string, simulators: Simulators): Promise<void> {
  const user = await signIn(url, USER.id);
  await user.subscribe(simulators.stripe);
  await user.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' });
  await user.get('/api/ad-accounts');
  await user.get(`/api/campaigns/${ACCOUNT}`);
  for (const id of IDS) await user.setSmartPause(ACCOUNT, id, true);
}

async function allToBe(status: 'PAUSED' | 'ACTIVE', simulators: Simulators): Promise<void> {
  await waitFor(
    `all to be ${status}`,
    async () => {
      const campaigns = await simulators.graph.campaigns();
      return IDS.every((id) => campaigns.get(id)?.status === status);
    },
    POLL_MS * 6,
  );
}

/** The time of the first list request for the ad account. */
async function firstCallAt(simulators: Simulators): Promise<number> {
  const first = (await simulators.graph.requests()).find(({ path }) => path.includes(`/${ACCOUNT}/`));
  if (first === undefined) throw new Error(`no request for the campaigns of ${ACCOUNT}`);
  return Date.parse(first.at);
}
