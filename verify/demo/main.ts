import type { Campaign } from '../../src/contract/shapes.ts';
import { takeNoArguments } from '../../scripts/arguments.ts';
import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import { startWorld } from '../../test/support/world.ts';
import { checkRun, enter } from '../fixtures/advertiser.ts';
import { openRunDatabase } from '../fixtures/run-database.ts';
import { type Write, isOurChange } from '../invariants/records.ts';

/** The incident that is replayed: 9:10 to 11:08 PM on January 8 in New York. */
const HIGH_AT = Date.parse('2026-01-09T02:10:00Z');
const UP_AT = Date.parse('2026-01-09T04:08:00Z');
/** After the last resume: unconfirmed writes expire, and emails are sent. */
const END = Date.parse('2026-01-09T05:20:00Z');
/** The status page is read this often. */
const STEP_MS = 10_000;
const MINUTE = 60_000;
const OPEN = `select 1 from holds where state <> 'ended' union all select 1 from deliveries where sent_at is null
  union all select 1 from activities where pending_notification is not null`;
/** `resumesAt`: the resume time that these settings mean for the incident, computed manually. */
const DELAY = { value: 30, unit: 'minutes' };
const SETTINGS = [
  { threshold: 'LOW', resume: { mode: 'instant' }, resumesAt: '2026-01-09T04:08:00Z' },
  { threshold: 'MEDIUM', resume: { mode: 'delay', delay: DELAY }, resumesAt: '2026-01-09T04:38:00Z' },
  { threshold: 'HIGH', resume: { mode: 'next_day' }, resumesAt: '2026-01-09T05:01:00Z' },
] as const;

takeNoArguments('npm run demo    a real incident replayed for three advertisers, under faults');
await using closing = new AsyncDisposableStack();
const database = await openRunDatabase(closing);
const clock = new OffsetClock();
clock.advance(HIGH_AT - 60 * MINUTE - clock.now());
const startOffsetMs = clock.now() - Date.now();
const world = await startWorld({ database, clock, isStepped: true });
closing.defer(() => world.close());
const { product, simulators } = world;
const { graph } = simulators;
console.log('High disruptions, 2026-01-09 02:10Z to 04:08Z, replayed under faults of Meta');
await advanceTo(clock.now());
const advertisers: Awaited<ReturnType<typeof enter>>[] = [];
for (const settings of SETTINGS) advertisers.push(await enter({ product, simulators, ...settings }));
await addOtherTool();
await advanceTo(HIGH_AT - MINUTE);
await makeMetaUnreliable();
await replay('High disruptions', HIGH_AT, UP_AT);
await makeMetaUnreliable();
await replay('Resolved', UP_AT, END);
console.table(await Promise.all(SETTINGS.map((_one, index) => rowOf(index))));
const broken = await check();
for (const violation of broken) console.log(`BROKEN  ${violation}`);
if (broken.length === 0) console.log('Nothing lost, nothing doubled, nothing else touched.');
process.exitCode = broken.length === 0 ? 0 : 1;

/** It has had the first campaign off at night for weeks. */
async function addOtherTool(): Promise<void> {
  await graph.post(`/campaigns/${advertisers[0]?.campaignIds[0] ?? ''}/tool`, {
    off: ['01:00'],
    on: ['05:00'],
  });
  await product.app.runTask('reading schedules of other tools');
}

/** What the page shows of the tools of others. */
async function otherTools(index: number): Promise<string> {
  const { user, accountId = '' } = advertisers[index] ?? {};
  const list = await user?.get<{ campaigns: Campaign[] }>(`/api/campaigns/${accountId}`);
  return list?.campaigns.flatMap(({ otherSchedule }) => otherSchedule?.text ?? []).join() ?? '';
}

/** Orders faults of Meta for the next writes. */
async function makeMetaUnreliable(): Promise<void> {
  const [first, second, third] = advertisers.map(({ userId }) => userId);
  const inner = { op: 'inner', method: 'POST' };
  await graph.fault({ kind: 'error', code: 2, times: 2, match: { ...inner, user: first } });
  await graph.fault({ kind: 'null_entry_applied', times: 2, match: { ...inner, user: second } });
  await graph.fault({ kind: 'null_entry', times: 1, match: { ...inner, user: second } });
  await graph.fault({ kind: 'applied_but_error', code: 1, times: 2, match: { ...inner, user: third } });
  await graph.fault({ kind: 'html', times: 1, match: { user: third, method: 'GET' } });
}

/** The status page reports this at one time; until the other the product works in steps. */
async function replay(status: string, from: number, until: number): Promise<void> {
  await advanceTo(from);
  await simulators.status.reports(status);
  while (clock.now() < until - STEP_MS) {
    await world.turn();
    await advanceTo(clock.now() + STEP_MS);
  }
}

/** Meta and Stripe follow; the status page takes the same steps from the real time, by which the product expects its dates. */
async function advanceTo(time: number): Promise<void> {
  clock.advance(time - clock.now());
  const offsetMs = time - Date.now();
  await graph.post('/clock', { offsetMs });
  await simulators.channels.post('/clock', { offsetMs });
  await simulators.status.post('/clock', { offsetMs: offsetMs - startOffsetMs });
  await simulators.stripe.setClock(offsetMs);
}

/** Of the advertiser with these settings. */
async function ourChanges(status: string, index: number): Promise<Write[]> {
  const own = advertisers[index]?.campaignIds ?? [];
  return (await graph.writes()).filter(
    (write) => isOurChange(write) && write.status === status && own.includes(write.campaign),
  );
}

async function check(): Promise<string[]> {
  const query = async <R>(sql: string): Promise<R[]> => (await database.pool.query(sql)).rows as R[];
  const campaigns = advertisers.flatMap((one) => one.campaigns);
  const broken = await checkRun({ simulators, query, campaigns });
  for (const [index, { threshold, resumesAt }] of SETTINGS.entries()) {
    const due = Date.parse(resumesAt);
    const resumed = await ourChanges('ACTIVE', index);
    const watched = advertisers[index]?.campaigns.filter(({ kind }) => kind === 'watched') ?? [];
    const counts = `${resumed.length} of ${watched.length}`;
    if (resumed.length !== watched.length)
      broken.push(`${counts} campaigns of the advertiser with ${threshold} were paused and resumed`);
    for (const { at, campaign } of resumed)
      if (!(Date.parse(at) >= due && Date.parse(at) <= due + 5 * MINUTE))
        broken.push(`${campaign} was resumed at ${at}, and due at ${resumesAt}`);
  }
  return [...(await query(OPEN)).map(() => 'a hold has not ended, or an email was not sent'), ...broken];
}

async function rowOf(index: number): Promise<object> {
  const [paused, resumed] = [await ourChanges('PAUSED', index), await ourChanges('ACTIVE', index)];
  return {
    threshold: SETTINGS[index]?.threshold,
    resume: SETTINGS[index]?.resume.mode,
    paused: paused.length,
    resumed: resumed.length,
    'last pause after': `${((Date.parse(paused.at(-1)?.at ?? '') - HIGH_AT) / 1000).toFixed(0)} s`,
    'first resume at': resumed[0]?.at.slice(11, 19),
    'another tool': await otherTools(index),
  };
}
