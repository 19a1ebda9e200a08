import { plant } from '../fixtures/planted-fault.ts';
import { MUTANTS } from './mutants.ts';
import type { Task } from './play-history.ts';

/** A process that plays the histories of its tasks, one after the other. */
const [, , mutant = ''] = process.argv;
if (MUTANTS[mutant] !== undefined) plant(MUTANTS[mutant]);
// Imported now, so that it has the planted fault.
const { playHistory } = await import('./play-history.ts');
const { buildHarness } = await import('./play.ts');
const harness = await buildHarness();

process.on('message', (task: Task) => {
  void playHistory(harness, task).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
