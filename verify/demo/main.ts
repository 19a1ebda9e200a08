import { OffsetClock } from '../../scripts/outside/offset-clock.ts';
import { takeNoArguments } from '../../scripts/arguments.ts';
import { startWorld } from '../../test/support/world.ts';
import { openRunDatabase } from '../fixtures/run-database.ts';
import { checkRun } from '../check-run.ts';
import type { Write } from '../invariants/write-log.ts';
import { isChange, isOurs } from '../invariants/write-log.ts';
import type { Advertiser } from './fixture.ts';
import { ADVERTISERS, INCIDENT, enter, makeMetaUnreliable } from './fixture.ts';

/** The status page is read this often. */
const STEP_MS = 10_000;
const MINUTE = 60_000;
/** After the last resume: unconfirmed writes expire, and emails are sent. */
const END = Date.parse('2026-01-09T05:20:00Z');
const OPEN = `select 1 from hold where state <> 'ended' union all select 1 from notification where sent_at is null`;

takeNoArguments('npm run demo    a real incident replayed for three advertisers, under faults');
await using closing = new AsyncDisposableStack();
const database = await openRunDatabase(closing);
const clock = new OffsetClock();
clock.advance(INCIDENT.high - 60 * MINUTE - clock.now());
const world = await startWorld({ database, clock, isStepped: true });
closing.defer(() => world.close());
const { simulators } = world;
say(
  'A real incident (High disruptions, 2026-01-09 02:10Z to 04:08Z) replayed on a stepped clock, with faults of Meta.\n',
);
await advanceTo(clock.now());
const advertisers: Advertiser[] = [];
for (const settings of ADVERTISERS) advertisers.push(await enter(world, settings));
await advanceTo(INCIDENT.high - MINUTE);
for (const fault of await makeMetaUnreliable(world)) say(`  fault   ${fault}`);
await replay('High disruptions', INCIDENT.high, INCIDENT.up);
say(`  paused  ${await countChanges('PAUSED')} campaigns`);
await makeMetaUnreliable(world);
await replay('Resolved', INCIDENT.up, END);
say(`  resumed ${await countChanges('ACTIVE')} campaigns\n`);
const broken = await check();
console.table(
  Object.fromEntries(await Promise.all(advertisers.map(async (one) => [one.name, await rowOf(one)]))),
);
for (const violation of broken) say(`BROKEN  ${violation}`);
if (broken.length === 0) say('Nothing lost, nothing doubled, nothing else touched.');
process.exitCode = broken.length === 0 ? 0 : 1;

/** The status page reports this at one time; until the other the product works in steps. */
async function replay(status: string, from: number, until: number): Promise<void> {
  await advanceTo(from);
  await simulators.status.reports(status);
  while (clock.now() < until - STEP_MS) {
    await world.turn();
    await advanceTo(clock.now() + STEP_MS);
  }
}

/** Meta and Stripe follow; the status page dates its files by the real time, as the product expects. */
async function advanceTo(time: number): Promise<void> {
  clock.advance(time - clock.now());
  const offsetMs = time - Date.now();
  await simulators.graph.post('/clock', { offsetMs });
  await simulators.stripe.setClock(offsetMs);
}

async function ourChanges(status: string): Promise<Write[]> {
  const writes = await simulators.graph.writes();
  return writes.filter((write) => isOurs(write) && isChange(write) && write.status === status);
}

async function countChanges(status: string): Promise<number> {
  return (await ourChanges(status)).length;
}

async function check(): Promise<string[]> {
  const campaigns = advertisers.flatMap((one) => one.campaigns);
  const query = async <R>(sql: string): Promise<R[]> => (await database.pool.query(sql)).rows as R[];
  const broken = await checkRun({
    ...{ simulators, query, campaigns },
    statusChanges: [
      { level: 'HIGH_DISRUPTION', at: INCIDENT.high, knownAt: INCIDENT.high },
      { level: 'UP', at: INCIDENT.up, knownAt: INCIDENT.up },
    ],
  });
  return [...(await query(OPEN)).map(() => 'a hold has not ended, or an email was not sent'), ...broken];
}

async function rowOf({ threshold, resumeSettings: { mode, delay }, campaigns }: Advertiser): Promise<object> {
  const timesOf = async (status: string): Promise<number[]> =>
    (await ourChanges(status))
      .filter(({ campaign }) => campaigns.some(({ id }) => id === campaign))
      .map(({ at }) => Date.parse(at));
  const [paused, resumed] = [await timesOf('PAUSED'), await timesOf('ACTIVE')];
  return {
    settings: `${threshold}, ${delay === undefined ? mode : `${delay.value} ${delay.unit}`}`,
    paused: paused.length,
    resumed: resumed.length,
    'left alone': campaigns.filter(({ kind }) => kind !== 'watched').length,
    'last pause after': `${((Math.max(...paused) - INCIDENT.high) / 1000).toFixed(0)} s`,
    'first resume at': `${new Date(Math.min(...resumed)).toISOString().slice(11, 19)}Z`,
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
