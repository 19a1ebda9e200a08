import { plant } from '../fixtures/planted-fault.ts';
import { MUTANTS, isMutant } from './mutants.ts';
import type { Verdict } from './play-history.ts';

/** A process that plays the histories of its tasks, one after the other. */
export interface Task {
  seed: string;
  /** The moments of the history to play; null: all. */
  only: number[] | null;
}

/** The trace is empty without a violation. */
export interface Report extends Task, Verdict {
  /** The number of events of the whole history. */
  events: number;
}

const [mutant] = process.argv.slice(2);
if (mutant !== undefined && mutant !== '') {
  if (!isMutant(mutant)) throw new Error(`there is no mutant '${mutant}'`);
  plant(MUTANTS[mutant]);
}
// Imported now, so that it has the mutant's fault.
const { buildHarness } = await import('./play.ts');
const { generateAll, playHistory } = await import('./play-history.ts');
const harness = await buildHarness();

process.on('message', (task: Task) => {
  void play(task).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function play({ seed, only }: Task): Promise<Report> {
  const { history, fixture } = generateAll(seed);
  const events = history.events.filter((_moment, index) => only === null || only.includes(index));
  const { trace, ...verdict } = await playHistory(harness, { ...history, events }, fixture);
  const isViolated = verdict.violations.length > 0;
  return { ...verdict, seed, only, events: history.events.length, trace: isViolated ? trace : [] };
}
