import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../outside/user.ts';
import type { Simulators } from '../outside/simulators.ts';
import { SIMULATED_APP, SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { waitFor } from '../outside/wait-for.ts';
import type { Figure } from './parts/figure.ts';
import { inMs } from './parts/figure.ts';
import { MeasuredProcess } from './parts/measured-process.ts';
import { ownDatabase } from './parts/stage.ts';
import { startProduct } from './parts/start-product.ts';

/**
 * The time from a change of the status page until the last of 50 campaigns of one account is paused.
 * Meta answers in 150 ms, the poll interval is the default. The limit is half the poll interval plus two
 * calls: read and batch. The comparison is a script with the official SDK and the same poll interval.
 */
const CAMPAIGNS = 50;
const LATENCY_MS = 150;
/** The default of `npm start`. */
const POLL_MS = 10_000;
const REPETITIONS = 10;
const OURS = { user: '7000000000000001', account: 'act_8000000000000001', campaigns: '90000000000001' };
const THEIRS = { user: '7000000000000002', account: 'act_8000000000000002', campaigns: '90000000000002' };
type Side = typeof OURS;

export async function run(): Promise<Figure[]> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await ownDatabase();
  const programs: MeasuredProcess[] = [];
  try {
    await simulators.graph.post('/seed', { users: [OURS, THEIRS].map(userOf) });
    const product = await startProduct({ ...simulators.environment, ...database.environment });
    programs.push(product.process);
    await setUp(product.url, simulators);
    programs.push(await startSdkScript(simulators));
    await simulators.graph.post('/latency', { ms: LATENCY_MS });
    const ours: number[] = [];
    const theirs: number[] = [];
    const ourCalls: number[] = [];
    const theirCalls: number[] = [];
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      // Spreads the changes over the interval between two polls.
      await sleep((POLL_MS * repetition) / REPETITIONS);
      await simulators.graph.ask('DELETE', '/requests');
      const changedAt = Date.now();
      await simulators.status.reports('High disruptions');
      const ourEnd = await lastPausedAt(simulators, OURS);
      const theirEnd = await lastPausedAt(simulators, THEIRS);
      ours.push(ourEnd - changedAt);
      theirs.push(theirEnd - changedAt);
      ourCalls.push(ourEnd - (await firstCallAt(simulators, OURS)));
      theirCalls.push(theirEnd - (await firstCallAt(simulators, THEIRS)));
      await simulators.status.reports('Resolved');
      await resume(simulators);
    }
    return figuresOf({ ours, theirs, ourCalls, theirCalls });
  } finally {
    for (const one of programs) await one.stop();
    await database.close();
    await simulators.stop();
  }
}

async function startSdkScript({ graph, status }: Simulators): Promise<MeasuredProcess> {
  const { access_token } = await graph.post<{ access_token: string }>('/tokens', { userId: THEIRS.user });
  return MeasuredProcess.start([join(import.meta.dirname, 'parts/sdk-script.ts')], {
    readyAt: /ready/,
    environment: {
      GRAPH_URL: graph.url,
      STATUS_URL: `${status.url}/data/orgs.json`,
      TOKEN: access_token,
      ACCOUNT: THEIRS.account,
      POLL_MS: String(POLL_MS),
      META_APP_ID: SIMULATED_APP.META_APP_ID,
    },
  });
}

/** Milliseconds of each run: from the change, and from the first call, to the last paused campaign. */
interface Times {
  ours: number[];
  theirs: number[];
  ourCalls: number[];
  theirCalls: number[];
}

function figuresOf({ ours, theirs, ourCalls, theirCalls }: Times): Figure[] {
  const mean = meanOf(ours);
  const limit = POLL_MS / 2 + 2 * LATENCY_MS;
  const what = `reaction: status page to the last of ${CAMPAIGNS} campaigns paused, mean of ${REPETITIONS}`;
  const measured = `${inMs(mean)} (longest ${inMs(Math.max(...ours))})`;
  return [
    {
      what,
      measured,
      yardstick: `half the poll and two calls: ${inMs(limit)}`,
      ratio: mean / limit,
      // By chance the changes may come a little early or late between two polls.
      limit: { atMost: 1.1 },
    },
    {
      what,
      measured,
      yardstick: `a script around the official SDK, same poll: ${inMs(meanOf(theirs))}`,
      ratio: mean / meanOf(theirs),
      limit: { atMost: 1 },
    },
    {
      what: 'reaction: first call to the last campaign paused, without the wait for the poll',
      measured: inMs(meanOf(ourCalls)),
      yardstick: `the same of that script: ${inMs(meanOf(theirCalls))}`,
      ratio: meanOf(ourCalls) / meanOf(theirCalls),
      limit: null,
    },
  ];
}

const idOf = ({ campaigns }: Side, index: number): string => campaigns + String(index).padStart(3, '0');
const idsOf = (side: Side): string[] => Array.from({ length: CAMPAIGNS }, (_, index) => idOf(side, index));
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

function userOf(side: Side): object {
  const campaigns = idsOf(side).map((id) => ({ id, name: `Campaign ${id}`, daily_budget: '1000' }));
  const account = { id: side.account, name: 'Fifty campaigns', currency: 'USD', campaigns };
  return { id: side.user, name: 'Some Body', accounts: [account] };
}

async function setUp(url: string, simulators: Simulators): Promise<void> {
  const user = await signIn(url, OURS.user);
  await user.subscribe(simulators.stripe);
  await user.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' });
  await user.get('/api/ad-accounts');
  await user.get(`/api/campaigns/${OURS.account}`);
  for (const id of idsOf(OURS)) await user.setSmartPause(OURS.account, id, true);
}

async function allToBe(status: 'PAUSED' | 'ACTIVE', simulators: Simulators, side: Side): Promise<void> {
  const ids = idsOf(side);
  await waitFor(
    `all to be ${status}`,
    async () => {
      const campaigns = await simulators.graph.campaigns();
      return ids.every((id) => campaigns.get(id)?.status === status);
    },
    POLL_MS * 6,
  );
}

/** Taken from the write log of the simulator. */
async function lastPausedAt(simulators: Simulators, side: Side): Promise<number> {
  await allToBe('PAUSED', simulators, side);
  const writes = (await simulators.graph.writes()).filter(({ account }) => account === side.account);
  return Date.parse(writes.at(-1)?.at ?? '');
}

/** The time of the first list request for the ad account. */
async function firstCallAt(simulators: Simulators, { account }: Side): Promise<number> {
  const first = (await simulators.graph.requests()).find(({ path }) => path.includes(`/${account}/`));
  if (first === undefined) throw new Error(`no request for the campaigns of ${account}`);
  return Date.parse(first.at);
}

/** The product resumes its campaigns. The benchmark resumes those of the script, which has no resume. */
async function resume(simulators: Simulators): Promise<void> {
  for (const id of idsOf(THEIRS)) await simulators.graph.post(`/campaigns/${id}`, { status: 'ACTIVE' });
  await allToBe('ACTIVE', simulators, OURS);
  // The script polls too and needs to see the change.
  await sleep(POLL_MS);
}
