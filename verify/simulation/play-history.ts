import type { Cast } from './cast.ts';
import { inventCast } from './cast.ts';
import type { Dice } from '../fixtures/dice.ts';
import { createDice } from '../fixtures/dice.ts';
import { Happenings } from './happenings.ts';
import type { History } from './history.ts';
import { inventHistory, inventResume, toSettings } from './history.ts';
import { Play } from './play.ts';
import type { Stage } from './stage.ts';
import { judgeTheEnd } from './the-end.ts';

const MINUTE = 60_000;

export interface Verdict {
  violations: string[];
  steps: number;
  statements: number;
  virtualMs: number;
  /** What happened, for whoever reads it. */
  trace: string[];
  /** Of every statement and every request, in their order: the same for the same history. */
  digest: string;
  facts: Record<string, number>;
}

export function inventAll(seed: string): { history: History; cast: Cast } {
  const dice = createDice(seed);
  const cast = inventCast(dice.for('cast'));
  return { cast, history: inventHistory(seed, dice.for('history'), cast) };
}

export async function playHistory(stage: Stage, history: History, cast: Cast): Promise<Verdict> {
  await stage.database.wipe();
  const before = stage.database.statements;
  const play = new Play(stage, history, cast);
  try {
    play.startProcess();
    await moveIn(play);
    const happenings = new Happenings(play);
    const beginning = play.time.now;
    const calm = play.dice.for('calm');
    for (const moment of history.moments) {
      await passTime(play, beginning + moment.at, calm);
      play.note(JSON.stringify(moment));
      if (moment.amid === undefined) await happenings.happen(moment);
      else play.amid(moment.amid, moment.isServed === true, () => void happenings.happen(moment));
      await play.step();
      if (play.oracle.violations.length > 0) break;
    }
    if (play.oracle.violations.length === 0) await judgeTheEnd(play, happenings);
  } catch (error) {
    play.oracle.say(
      `the history broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  for (const { life } of play.processes) life.end();
  const { violations } = play.oracle;
  return {
    violations,
    steps: play.steps,
    statements: stage.database.statements - before,
    virtualMs: play.time.now - history.startsAt,
    trace: play.trace,
    digest: stage.database.digest(),
    facts: {
      holds: play.oracle.lastSnapshot?.holds.length ?? 0,
      writes: play.outside.graph.state.writes.length,
      mails: play.inbox.size,
      log: play.log.length,
      crossings: play.crossings,
      'calm pauses': play.calmPauses,
      unknowns: play.unknowns,
    },
  };
}

/** Lives through a part of the time, and sleeps through the rest when it is long. */
async function passTime(play: Play, until: number, dice: Dice): Promise<void> {
  const { time } = play;
  if (until - time.now > 15 * MINUTE) {
    await play.runUntil(time.now + dice.whole(MINUTE, 10 * MINUTE));
    if (dice.chance(0.8)) play.leapTo(until - dice.whole(0, 5 * MINUTE));
    else play.leapTo(until);
  }
  await play.runUntil(until);
}

/** Most have been there for a while when the history begins. */
async function moveIn(play: Play): Promise<void> {
  const dice = play.dice.for('moving in');
  for (const person of play.people) {
    const process = play.process();
    await play.until(person.logIn(process));
    if (dice.chance(0.05)) continue;
    await play.until(person.subscribe(process));
    const resume = toSettings(inventResume(dice));
    const outageThreshold = dice.pick(['LOW', 'MEDIUM', 'HIGH'] as const);
    const body = { resumeSettings: resume, outageThreshold, email: person.who.email };
    const done = await play.until(person.call(process, 'initialize', { body }));
    if (done.ok) person.session = (done.value as { token: string }).token;
    await play.until(person.call(process, 'adAccounts'));
    for (const accountId of person.who.accounts) {
      await play.until(person.call(process, 'campaigns', { params: { adAccountId: accountId } }));
      for (const { id } of play.cast.campaigns.filter((one) => one.accountId === accountId)) {
        if (dice.chance(0.25)) continue;
        const params = { adAccountId: accountId, campaignId: id };
        await play.until(person.call(process, 'setSmartPause', { params, body: { enabled: true } }));
      }
    }
  }
}
