import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import type { Fixture } from './history/fixture.ts';
import { generateFixture } from './history/fixture.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';
import { EventApplier } from './history/apply-event.ts';
import type { History } from './history/generate.ts';
import { generateHistory, generateResume } from './history/generate.ts';
import type { Harness } from './play.ts';
import { Play } from './play.ts';
import { checkFinalState } from './final-checks.ts';

const MINUTE = 60_000;

export interface Verdict {
  violations: string[];
  steps: number;
  statements: number;
  virtualMs: number;
  /** The events and their consequences, as lines to print. */
  trace: string[];
  /** A digest of every statement and request, in order: equal for equal histories. */
  digest: string;
  facts: Record<string, number>;
}

export function generateAll(seed: string): { history: History; fixture: Fixture } {
  const random = createRandom(seed);
  const fixture = generateFixture(random.for('cast'));
  return { fixture, history: generateHistory(seed, random.for('history'), fixture) };
}

export async function playHistory(harness: Harness, history: History, fixture: Fixture): Promise<Verdict> {
  await harness.database.wipe();
  const before = harness.database.statements;
  const play = new Play(harness, history, fixture);
  try {
    play.startProcess();
    await setUpUsers(play);
    const applier = new EventApplier(play);
    const beginning = play.time.now;
    const random = play.random.for('calm');
    for (const event of history.events) {
      await passTime(play, beginning + event.at, random);
      play.note(JSON.stringify(event));
      if (event.afterRequests === undefined) await applier.apply(event);
      else play.afterRequests(event.afterRequests, event.isServed === true, () => void applier.apply(event));
      await play.step();
      if (play.oracle.violations.length > 0) break;
    }
    if (play.oracle.violations.length === 0) await checkFinalState(play, applier);
  } catch (error) {
    play.oracle.report(
      `the history broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  for (const { lifetime } of play.processes) lifetime.end();
  const { violations } = play.oracle;
  return {
    violations,
    steps: play.steps,
    statements: harness.database.statements - before,
    virtualMs: play.time.now - history.startsAt,
    trace: play.trace,
    digest: harness.database.digest(),
    facts: {
      holds: play.oracle.lastSnapshot?.holds.length ?? 0,
      writes: play.simulators.graph.state.writes.length,
      mails: play.inbox.size,
      log: play.log.length,
      crossings: play.crossings,
      'undisturbed pauses': play.undisturbedPauses,
      unknowns: play.unknowns,
    },
  };
}

/** Runs a part of the time, and skips the rest when it is long. */
async function passTime(play: Play, until: number, random: Random): Promise<void> {
  const { time } = play;
  if (until - time.now > 15 * MINUTE) {
    await play.runUntil(time.now + random.whole(MINUTE, 10 * MINUTE));
    if (random.chance(0.8)) play.skipTo(until - random.whole(0, 5 * MINUTE));
    else play.skipTo(until);
  }
  await play.runUntil(until);
}

/** Most users are set up long before the history begins. */
async function setUpUsers(play: Play): Promise<void> {
  const random = play.random.for('moving in');
  for (const user of play.users) {
    const process = play.process();
    await play.until(user.logIn(process));
    if (random.chance(0.05)) continue;
    await play.until(user.subscribe(process));
    const resumeSettings = generateResume(random);
    const outageThreshold = random.pick(THRESHOLDS);
    const body = { resumeSettings, outageThreshold, email: user.who.email };
    const done = await play.until(user.call(process, 'initialize', { body }));
    if (done.ok) user.session = (done.value as { token: string }).token;
    await play.until(user.call(process, 'adAccounts'));
    for (const accountId of user.who.accounts) {
      await play.until(user.call(process, 'campaigns', { params: { adAccountId: accountId } }));
      for (const { id } of play.fixture.campaigns.filter((one) => one.accountId === accountId)) {
        if (random.chance(0.25)) continue;
        const params = { adAccountId: accountId, campaignId: id };
        await play.until(user.call(process, 'setSmartPause', { params, body: { enabled: true } }));
      }
    }
  }
}
