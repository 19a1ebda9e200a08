import type { Play, Task } from './fixtures/history.ts';
import { plant } from './fixtures/planted-fault.ts';
import { KINDS } from './histories.ts';

/** A process that plays the histories of its tasks, one after the other. */
const [, , kind, mutant = ''] = process.argv;
const isModel = kind === 'model';
const fault = KINDS[isModel ? 'model' : 'simulation'].mutants[mutant];
if (fault !== undefined) plant(fault);
// Imported now, so that it has the planted fault.
const play = await (isModel ? modelPlayer() : simulationPlayer());

process.on('message', (task: Task) => {
  void play(task).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());

async function simulationPlayer(): Promise<Play> {
  const { playHistory } = await import('./simulation/play-history.ts');
  const { buildHarness } = await import('./simulation/play.ts');
  const harness = await buildHarness();
  return (task) => playHistory(harness, task);
}

async function modelPlayer(): Promise<Play> {
  const { History } = await import('./model/history.ts');
  return (task) => {
    const { rules, trace, holds } = new History(task.seed).play();
    const { violations } = rules;
    return Promise.resolve({ ...task, events: 0, violations, trace, facts: { holds } });
  };
}
