import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';
import { checkFinalState } from './final-checks.ts';
import { EventApplier } from './history/apply-event.ts';
import { generateFixture } from './history/fixture.ts';
import { generateHistory, generateResume } from './history/generate.ts';
import type { Harness } from './play.ts';
import { Play } from './play.ts';

const MINUTE = 60_000;

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
  /** A digest of every statement and request, in order: equal for equal histories. */
  digest: string;
  facts: Record<string, number>;
}

export async function playHistory(harness: Harness, { seed, only }: Task): Promise<Report> {
  const { database } = harness;
  await database.wipe();
  const before = database.statements;
  const random = createRandom(seed);
  const fixture = generateFixture(random.for('cast'));
  const history = generateHistory(seed, random.for('history'), fixture);
  const play = new Play(harness, history, fixture);
  const { oracle, time } = play;
  try {
    await setUpUsers(play);
    const applier = new EventApplier(play);
    const beginning = time.now;
    const pace = play.random.for('calm');
    for (const event of history.events.filter((_one, index) => only?.includes(index) !== false)) {
      await passTime(play, beginning + event.at, pace);
      play.note(JSON.stringify(event));
      if (event.afterRequests === undefined) await applier.apply(event);
      else play.afterRequests(event.afterRequests, event.isServed === true, () => void applier.apply(event));
      await play.step();
      if (oracle.violations.length > 0) break;
    }
    if (oracle.violations.length === 0) await checkFinalState(play, applier);
  } catch (error) {
    oracle.report(`the history broke off: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  }
  for (const { lifetime } of play.processes) lifetime.end();
  return {
    seed,
    only,
    events: history.events.length,
    violations: oracle.violations,
    trace: play.trace,
    digest: database.digest(),
    facts: {
      hours: Math.round((time.now - history.startsAt) / 3_600_000),
      steps: play.steps,
      statements: database.statements - before,
      holds: oracle.lastSnapshot?.holds.length ?? 0,
      writes: play.simulators.graph.state.writes.length,
      mails: play.inbox.size,
      ...play.facts,
    },
  };
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
      for (const { id: campaignId } of play.fixture.campaigns.filter(
        (one) => one.accountId === adAccountId,
      )) {
        const params = { adAccountId, campaignId };
        if (!random.chance(0.25))
          await play.until(user.call(process, 'setSmartPause', { params, body: { enabled: true } }));
      }
    }
  }
}
