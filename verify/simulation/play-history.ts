import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import { inTransaction } from '../../src/server/db/database.ts';
import { recordStatus } from '../../src/server/db/status/status.ts';
import { type Random, createRandom } from '../fixtures/random.ts';
import { checkRecords } from '../invariants/records.ts';
import { applyEvent } from './history/events.ts';
import { generateFixture } from './history/fixture.ts';
import { generateHistory, generateResume } from './history/generate.ts';
import { type Harness, Play } from './play.ts';
import { checkUndisturbedOutage } from './undisturbed-outage.ts';
import { STALE_MS } from './world/process.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface Task {
  seed: string;
  /** The moments of the history to play; null: all. */
  only: number[] | null;
}

export interface Report extends Task {
  /** The number of events of the whole history. */
  events: number;
  violations: string[];
  /** The events and their consequences, as lines to print. */
  trace: string[];
  facts: Record<string, number>;
}

export async function playHistory(harness: Harness, { seed, only }: Task): Promise<Report> {
  await harness.database.wipe();
  const random = createRandom(seed);
  const fixture = generateFixture(random.for('cast'));
  const { startsAt, events } = generateHistory(random.for('history'), fixture);
  const play = new Play(harness, { seed, startsAt }, fixture);
  const { oracle, time, trace } = play;
  try {
    await setUpUsers(play);
    const beginning = time.now;
    const pace = play.random.for('calm');
    for (const event of events.filter((_one, index) => only?.includes(index) !== false)) {
      await passTime(play, beginning + event.at, pace);
      play.note(JSON.stringify(event));
      if (event.afterRequests === undefined) applyEvent(play, event);
      else play.afterRequests(event.afterRequests, event.isServed === true, () => applyEvent(play, event));
      await play.step();
      if (oracle.violations.length > 0) break;
    }
    if (oracle.violations.length === 0) await checkFinalState(play);
  } catch (error) {
    oracle.report(`the history broke off: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  }
  for (const { lifetime } of play.processes) lifetime.end();
  const facts = {
    hours: Math.round((time.now - startsAt) / HOUR),
    holds: oracle.lastSnapshot?.holds.length ?? 0,
    writes: play.simulators.graph.state.writes.length,
    mails: play.inbox.size,
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
    await play.until(user.call(process, 'adAccounts'));
    for (const adAccountId of user.who.accounts) {
      await play.until(user.call(process, 'campaigns', { params: { adAccountId } }));
      for (const { id: campaignId, accountId } of play.fixture.campaigns) {
        if (accountId !== adAccountId || random.chance(0.25)) continue;
        const given = { params: { adAccountId, campaignId }, body: { enabled: true } };
        await play.until(user.call(process, 'setSmartPause', given));
      }
    }
  }
}

/** Removes all faults, lets days pass, then checks that every hold has ended and every record is complete. */
async function checkFinalState(play: Play): Promise<void> {
  const { oracle } = play;
  const { graph, statusPage } = play.simulators;
  // What Meta refuses for good ends the holds as well.
  for (const { id, match } of graph.faults.list()) if (match.campaign === undefined) graph.faults.remove(id);
  statusPage.faults.removeAll();
  play.clearFaults();
  play.note('all faults are removed');
  await clearOverride(play);
  applyEvent(play, { what: 'status', level: 'UP', only: null });
  await play.runFor(10 * MINUTE);
  await restoreAccess(play);
  await clearOverride(play);
  for (let night = 0; night < 2; night += 1) {
    await play.runFor(10 * MINUTE);
    play.skipTo(play.time.now + 18 * HOUR);
  }
  await settle(play);
  for (const [id, { undone }] of oracle.campaigns) {
    const status = graph.state.campaigns.get(id)?.status;
    // A manual pause or resume that was reported as failed need not stand.
    const name = undone === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
    if (undone !== null && status !== undone && !oracle.userRequests.wasDenied(name, id))
      oracle.report(`campaign ${id} is ${status ?? 'gone'}, and an external change had set ${undone}`);
  }
  graph.faults.removeAll();
  oracle.accessDoubted.clear();
  if (oracle.violations.length === 0) await checkUndisturbedOutage(play);
  await settle(play);
  for (const [id, { isOurs }] of oracle.campaigns)
    if (isOurs && graph.state.campaigns.get(id)?.status === 'PAUSED')
      oracle.report(`campaign ${id} stays paused, by us`);
  const { violations } = await checkRecords({
    query: (sql) => play.harness.database.query(sql),
    received: [...play.inbox.values()].map((mail) => ({ ...mail, to: [mail.to] })),
    campaigns: play.fixture.campaigns,
  });
  oracle.report(...violations);
}

async function restoreAccess(play: Play): Promise<void> {
  const known = new Set(play.oracle.lastSnapshot?.users.map((one) => one.platform_user_id));
  for (const user of play.users) {
    const { userId, accounts } = user.who;
    Object.assign(play.simulators.graph.state.users.get(userId) ?? {}, { accounts: [...accounts] });
    if (known.has(userId)) await play.until(user.logIn(play.process()));
  }
}

/** Not by an admin, who may have left. */
async function clearOverride(play: Play): Promise<void> {
  const { db, clock } = play.process().deps;
  const cleared = { directive: null };
  await play.until(inTransaction(db, (tx) => recordStatus(tx, cleared, clock.now(), { staleMs: STALE_MS })));
}

/** Every hold has ended after a while. */
async function settle(play: Play): Promise<void> {
  await play.runFor(12 * MINUTE);
  await play.oracle.check();
  for (const { id, campaign_id, state } of play.oracle.lastSnapshot?.holds ?? [])
    if (state !== 'ended') play.oracle.report(`hold ${id} on ${campaign_id} never ends: ${state}`);
}
