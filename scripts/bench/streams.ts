import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { EVENTS_PATH } from '../../src/contract/live-updates.ts';
import type { Simulators } from '../outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { waitFor } from '../outside/wait-for.ts';
import type { Figure } from './parts/figure.ts';
import { inMs } from './parts/figure.ts';
import type { MeasuredProcess } from './parts/measured-process.ts';
import { plantRows, startSessions } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';
import { startProduct } from './parts/start-product.ts';

/** The cost of streams for open pages, and the delay until all of them receive a status change. */
const STREAMS = 2000;
const MOST_MB = 150;
const WITHIN_MS = 1000;
const SETTLE_MS = 5000;

export async function run(): Promise<Figure[]> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await ownDatabase();
  let product: MeasuredProcess | null = null;
  const streams: IncomingMessage[] = [];
  try {
    const at = new Date();
    const sessions = await database.during(async (db) => {
      await plantRows(db, { users: STREAMS, accountsEach: 1, campaignsEach: 1 }, at);
      return startSessions(db, STREAMS, at);
    });
    const { process: measured, port } = await startProduct({
      ...simulators.environment,
      ...database.environment,
      TRUST_PROXY: '1',
      STATUS_POLL_SECONDS: '1',
    });
    product = measured;
    // Warms up code and queries before the baseline is taken.
    streams.push(await open(port, sessions[0] ?? '', 0));
    const before = await settled(measured);
    let heard = 0;
    for (const [index, session] of sessions.slice(1).entries()) {
      streams.push(await open(port, session, index + 1));
    }
    for (const stream of streams) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"status"')) heard += 1;
      });
    }
    const after = await settled(measured);
    const spread = await reachesAll(simulators, () => heard);
    const cost = after - before;
    return [
      {
        what: `${STREAMS.toLocaleString('en')} open event streams: memory`,
        measured: `${cost.toFixed(0)} MB`,
        yardstick: `limit ${MOST_MB} MB`,
        ratio: cost / MOST_MB,
        limit: { atMost: 1 },
      },
      {
        what: `${STREAMS.toLocaleString('en')} open event streams: a change of the status reaches all`,
        measured: inMs(spread),
        yardstick: `limit ${WITHIN_MS} ms`,
        ratio: spread / WITHIN_MS,
        limit: { atMost: 1 },
      },
    ];
  } finally {
    for (const one of streams) one.destroy();
    await product?.stop();
    await database.close();
    await simulators.stop();
  }
}

/** @returns the time between the first and the last stream that gets a change of the status */
async function reachesAll(simulators: Simulators, heard: () => number): Promise<number> {
  await simulators.status.reports('High disruptions');
  const changed = await waitFor(
    'the first stream to get the change',
    () => (heard() > 0 ? Date.now() : null),
    30_000,
  );
  await waitFor('all streams to get the change', () => heard() >= STREAMS, 30_000);
  return Date.now() - changed;
}

async function open(port: number, session: string, user: number): Promise<IncomingMessage> {
  const asking = request({
    port,
    host: '127.0.0.1',
    path: EVENTS_PATH,
    agent: false,
    headers: {
      authorization: `Bearer ${session}`,
      'x-forwarded-for': `10.2.${Math.floor(user / 250)}.${(user % 250) + 1}`,
    },
  });
  asking.end();
  const [stream] = (await once(asking, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`a stream was refused with ${String(stream.statusCode)}`);
  return stream;
}

/** Resident memory once it no longer falls. */
async function settled(product: MeasuredProcess): Promise<number> {
  let least = Infinity;
  let since = performance.now();
  while (performance.now() - since < SETTLE_MS) {
    const { residentMb } = await product.usage();
    if (residentMb < least - 1) since = performance.now();
    least = Math.min(least, residentMb);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return least;
}
