import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import { resumeTime } from '../../src/core/smartpause/resume-time.ts';
import { inTransaction } from '../../src/server/db/database.ts';
import { findUsers } from '../../src/server/db/users/users.ts';
import { resumeAll } from '../../src/server/services/campaigns/pause-all.ts';
import { recordStatus } from '../../src/server/status/record-status.ts';
import type { Report, Task } from '../fixtures/history.ts';
import { type Random, createRandom } from '../fixtures/random.ts';
import { checkRecords } from '../invariants/records.ts';
import type { Snapshot } from '../invariants/snapshot.ts';
import { applyEvent } from './history/events.ts';
import { CAMPAIGNS } from './history/fixture.ts';
import { generateHistory, generateResume } from './history/generate.ts';
import { type Harness, Play } from './play.ts';
import { JOB_NAMES, STALE_MS } from './world/process.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** From a change on the page to its observation, with all consequences. */
const NOTICED_WITHIN_MS = 6 * MINUTE;

const EXPECTED = `select distinct campaign_id as id from smartpause_settings sp join users u on u.id = sp.user_id
  where setting = 'ON' and initialized_at is not null and leaving is null and exists (
    select from subscriptions s where s.user_id = u.id and s.status in ('active', 'trialing'))`;

export async function playHistory(harness: Harness, { seed, only }: Task): Promise<Report> {
  await harness.database.wipe();
  const { startsAt, events } = generateHistory(createRandom(seed).for('history'), Number(seed));
  const play = new Play(harness, { seed, startsAt });
  const { oracle, time, trace } = play;
  try {
    await setUpUsers(play);
    const beginning = time.now;
    const pace = play.random.for('pace');
    for (const event of events.filter((_one, index) => only?.includes(index) !== false)) {
      await passTime(play, beginning + event.at, pace);
      play.note(JSON.stringify(event));
      if (event.afterRequests === undefined) applyEvent(play, event);
      else play.afterRequests(event.afterRequests, event.isServed === true, () => applyEvent(play, event));
      await play.step();
      if (oracle.violations.length > 0) break;
    }
    for (const rest of [checkFinalState, checkUndisturbedOutage, checkAllRecords])
      if (oracle.violations.length === 0) await rest(play);
  } catch (error) {
    oracle.report(`the history broke off: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  }
  for (const { lifetime } of play.processes) lifetime.end();
  const facts = {
    hours: Math.round((time.now - startsAt) / HOUR),
    holds: oracle.lastSnapshot?.holds.length ?? 0,
    writes: play.simulators.graph.state.writes.length,
    mails: play.inbox.size,
    postponed: oracle.tools.postponed.size,
    'ended by tools': oracle.tools.tookOn.size,
  };
  const { violations } = oracle;
  return { seed, only, events: events.length, violations, trace, facts };
}

/** Runs a part of the time, and skips the rest when it is long. */
async function passTime(play: Play, until: number, random: Random): Promise<void> {
  const { time } = play;
  if (until - time.now > 15 * MINUTE) {
    await play.runUntil(time.now + random.whole(MINUTE, 10 * MINUTE));
    play.skipTo(random.chance(0.8) ? until - random.whole(0, 5 * MINUTE) : until);
  }
  await play.runUntil(until);
}

/** Most users are set up long before the history begins. */
async function setUpUsers(play: Play): Promise<void> {
  const random = play.random.for('moving in');
  const process = play.process();
  for (const user of play.users) {
    await play.until(user.logIn(process));
    if (random.chance(0.05)) continue;
    await play.until(user.subscribe(process));
    const resumeSettings = generateResume(random);
    const body = { resumeSettings, outageThreshold: random.pick(THRESHOLDS), email: user.who.email };
    const done = await play.until(user.call(process, 'initialize', { body }));
    if (done.ok) user.sessions.push((done.value as { token: string }).token);
    await openPages(play, play.users.indexOf(user));
    for (const { id: campaignId, accountId: adAccountId } of CAMPAIGNS) {
      if (!user.who.accounts.includes(adAccountId) || random.chance(0.25)) continue;
      const given = { params: { adAccountId, campaignId }, body: { enabled: true } };
      await play.until(user.call(process, 'setSmartPause', given));
    }
  }
}

/** So that the product has read their ad accounts. */
async function openPages(play: Play, index: number): Promise<void> {
  const user = play.user(index);
  const accounts = await play.until(user.call(play.process(), 'adAccounts'));
  for (const adAccountId of accounts.ok ? user.who.accounts : [])
    await play.until(user.call(play.process(), 'campaigns', { params: { adAccountId } }));
}

/** Without faults, after days, every hold has ended. */
async function checkFinalState(play: Play): Promise<void> {
  const { graph, statusPage } = play.simulators;
  graph.faults.removeAll();
  graph.limits.setTier(graph.limits.tier);
  statusPage.faults.removeAll();
  play.clearFaults();
  play.note('all faults are removed');
  await clearOverride(play);
  applyEvent(play, { what: 'status', level: 'UP' });
  await play.runFor(10 * MINUTE);
  await restoreAccess(play);
  await clearOverride(play);
  await endWords(play);
  for (let night = 0; night < 2; night += 1) {
    await play.runFor(10 * MINUTE);
    play.skipTo(play.time.now + 18 * HOUR);
  }
  if (graph.state.tools.length > 0) await waitForTools(play);
  await settle(play);
  play.oracle.accessDoubted.clear();
}

/** An outage without faults: the specification determines what is paused and resumed, and when. */
async function checkUndisturbedOutage(play: Play): Promise<void> {
  const { oracle } = play;
  play.note('an undisturbed outage');
  play.simulators.graph.state.tools = [];
  await play.harness.database.query('update campaigns set other_schedule = null');
  for (const { lifetime } of play.processes) lifetime.end();
  for (const [index, user] of play.users.entries()) {
    await play.until(user.call(play.process(), 'refreshSubscription'));
    await openPages(play, index);
  }
  for (const name of JOB_NAMES) await play.until(play.process().runTask(name));
  await play.runFor(NOTICED_WITHIN_MS);
  const expected = await expectedPauses(play);
  const written = watchWrites(play);
  applyEvent(play, { what: 'status', level: 'HIGH_DISRUPTION' });
  await play.runFor(NOTICED_WITHIN_MS);
  for (const { id } of CAMPAIGNS)
    if (written(id) !== (expected.includes(id) ? 'PAUSED' : ''))
      oracle.report(`in an undisturbed outage ${id} was written: '${written(id)}'`);
  applyEvent(play, { what: 'status', level: 'UP' });
  // A level falls with two readings.
  await play.runFor(2 * NOTICED_WITHIN_MS);
  const { holds, users, status, time_zones: zones } = await snapshotOf(play);
  const dues = expected.map((id) => {
    const hold = holds.findLast(({ campaign_id }) => campaign_id === id);
    const user = users.find((one) => one.id === hold?.user_id);
    const end = status.match_since[hold?.threshold ?? 'LOW'] ?? NaN;
    return { id, due: user === undefined ? NaN : resumeTime(user.resume_settings, end, zones[id] ?? null) };
  });
  for (const { due } of dues.toSorted((a, b) => a.due - b.due)) {
    if (due - play.time.now > 3 * NOTICED_WITHIN_MS) play.skipTo(due - 2 * NOTICED_WITHIN_MS);
    await play.runUntil(due + MINUTE);
  }
  for (const { id, due } of dues) {
    const at = Date.parse(
      play.simulators.graph.state.writes.findLast((one) => one.campaign === id)?.at ?? '',
    );
    if (written(id) !== 'PAUSED,ACTIVE' || !(at >= due && at <= due + MINUTE))
      oracle.report(`${id} is to be resumed at ${due}, but: '${written(id)}', the last at ${at}`);
  }
  await settle(play);
  for (const [id, { isOurs }] of oracle.campaigns)
    if (isOurs && play.simulators.graph.state.campaigns.get(id)?.status === 'PAUSED')
      oracle.report(`campaign ${id} is stranded: it stays paused, by us`);
}

/** Active, with SmartPause on for a paying user who is set up. */
async function expectedPauses({ harness, simulators: { graph } }: Play): Promise<string[]> {
  const rows = await harness.database.query<{ id: string }>(EXPECTED);
  return rows.map(({ id }) => id).filter((id) => graph.state.campaigns.get(id)?.status === 'ACTIVE');
}

/** @returns the statuses written to a campaign from now on */
function watchWrites({ simulators: { graph } }: Play): (campaign: string) => string {
  const begin = graph.state.writes.length;
  return (id) =>
    graph.state.writes
      .slice(begin)
      .filter(({ campaign }) => campaign === id)
      .map(({ status }) => status)
      .join();
}

async function checkAllRecords({ harness, inbox, oracle }: Play): Promise<void> {
  const received = [...inbox.values()].map((mail) => ({ ...mail, to: [mail.to] }));
  const query = <R>(sql: string): Promise<R[]> => harness.database.query(sql);
  oracle.report(...(await checkRecords({ query, received, campaigns: CAMPAIGNS })));
}

async function snapshotOf({ oracle }: Play): Promise<Snapshot> {
  await oracle.check();
  if (oracle.lastSnapshot === null) throw new Error('nothing was checked');
  return oracle.lastSnapshot;
}

async function restoreAccess(play: Play): Promise<void> {
  const known = new Set(play.oracle.lastSnapshot?.users.map((one) => one.platform_user_id));
  for (const user of play.users) {
    const { userId, accounts } = user.who;
    Object.assign(play.simulators.graph.state.users.get(userId) ?? {}, { accounts: [...accounts] });
    if (known.has(userId)) await play.until(user.logIn(play.process()));
  }
}

/** Not by users, who may have lost their sessions. */
async function endWords(play: Play): Promise<void> {
  const { deps } = play.process();
  const ids = (await snapshotOf(play)).users.map(({ id }) => String(id));
  for (const user of (await play.until(findUsers(deps.db, ids))).values())
    await play.until(resumeAll(deps, user));
}

/** Not by an admin, who may have left. */
async function clearOverride(play: Play): Promise<void> {
  const { db, clock } = play.process().deps;
  const cleared = { directive: null };
  await play.until(inTransaction(db, (tx) => recordStatus(tx, cleared, clock.now(), { staleMs: STALE_MS })));
}

/** A resume that is due may wait for the hours of another tool to end. */
async function waitForTools(play: Play): Promise<void> {
  await play.runFor(12 * MINUTE);
  for (const { state, postponed_until: until } of (await snapshotOf(play)).holds)
    if (state !== 'ended' && until !== null) play.skipTo(Date.parse(until) - MINUTE);
}

/** Every hold has ended after a while. */
async function settle(play: Play): Promise<void> {
  await play.runFor(12 * MINUTE);
  for (const { id, campaign_id, state } of (await snapshotOf(play)).holds)
    if (state !== 'ended') play.oracle.report(`hold ${id} on ${campaign_id} never ends: ${state}`);
}
