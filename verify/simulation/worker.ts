import { plant } from '../fixtures/planted-fault.ts';
import { MUTANTS, isMutant } from './mutants.ts';
import type { Task } from './play-history.ts';

/** A process that plays the histories of its tasks, one after the other. */
const [, , mutant = ''] = process.argv;
if (isMutant(mutant)) plant(MUTANTS[mutant]);
// Imported now, so that it has the planted fault.
const { playHistory } = await import('./play-history.ts');
const { buildHarness } = await import('./play.ts');
const harness = await buildHarness();

process.on('message', (task: Task) => {
  void playHistory(harness, task).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
