import { plant } from '../fixtures/planted-fault.ts';
import { MUTANTS, isMutant } from './mutants.ts';

/** A process that plays the histories it is given, one after the other. */
export interface Task {
  seed: string;
  /** Which moments of the history; null: all. */
  only: number[] | null;
}

export interface Report {
  seed: string;
  only: number[] | null;
  events: number;
  violations: string[];
  steps: number;
  statements: number;
  virtualMs: number;
  digest: string;
  facts: Record<string, number>;
  /** Only when something was violated. */
  trace: string[];
}

const [mutant] = process.argv.slice(2);
if (mutant !== undefined && mutant !== '') {
  if (!isMutant(mutant)) throw new Error(`there is no mutant '${mutant}'`);
  plant(MUTANTS[mutant]);
}
// Imported now, so that it is the mutant's.
const { buildHarness } = await import('./harness.ts');
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
