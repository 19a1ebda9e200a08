import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import { inTransaction } from '../../src/server/db/database.ts';
import { findWarning, saveActing } from '../../src/server/db/early-warning.ts';
import { findUsers } from '../../src/server/db/users/users.ts';
import { resumeAll } from '../../src/server/services/campaigns/pause-all.ts';
import { recordStatus } from '../../src/server/status/record-status.ts';
import type { Report, Task } from '../fixtures/history.ts';
import { type Random, createRandom } from '../fixtures/random.ts';
import { checkRecords } from '../invariants/records.ts';
import { applyEvent } from './history/events.ts';
import { CAMPAIGNS } from './history/fixture.ts';
import { generateHistory, generateResume } from './history/generate.ts';
import { type Harness, Play } from './play.ts';
import { SOURCES } from './sources.ts';
import {
  checkUndisturbedOutage,
  checkUndisturbedWarning,
  openPages,
  settle,
  snapshotOf,
} from './undisturbed.ts';
import { STALE_MS, WARN } from './world/process.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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
    for (const rest of [checkFinalState, checkUndisturbedOutage, checkUndisturbedWarning, checkAllRecords])
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
  await endWarnings(play);
  for (let night = 0; night < 2; night += 1) {
    await play.runFor(10 * MINUTE);
    play.skipTo(play.time.now + 18 * HOUR);
  }
  if (graph.state.tools.length > 0) await waitForTools(play);
  await settle(play);
  play.oracle.accessDoubted.clear();
}

async function checkAllRecords({ harness, inbox, oracle }: Play): Promise<void> {
  const received = [...inbox.values()].map((mail) => ({ ...mail, to: [mail.to] }));
  const query = <R>(sql: string): Promise<R[]> => harness.database.query(sql);
  oracle.report(...(await checkRecords({ query, received, campaigns: CAMPAIGNS })));
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
async function endWarnings(play: Play): Promise<void> {
  if (!play.sources.areUsed) return;
  for (const source of SOURCES) await play.until(play.suspect(source, false, 0));
  for (const name of WARN) await play.until(play.process().runTask(name));
  const { db } = play.process().deps;
  if ((await play.until(findWarning(db))) !== null) play.oracle.report('an early warning never ends');
  await play.until(saveActing(db, null));
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
