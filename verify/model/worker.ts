import { plant } from '../fixtures/planted-fault.ts';
import { MUTANTS } from './mutants.ts';

/** Prints one line when it ends: the first violations, and what was seen. */
export interface Played {
  histories: number;
  holds: number;
  failed: { name: string; violation: string }[];
}

const FAILURES_MAX = 5;

const [stream = '', count = '0', mutant = ''] = process.argv.slice(2);
const fault = MUTANTS[mutant];
if (fault !== undefined) plant(fault);
// Loaded after the fault is planted.
const { playHistory } = await import('./history.ts');
const played: Played = { histories: 0, holds: 0, failed: [] };
while (played.histories < Number(count) && played.failed.length < (mutant === '' ? FAILURES_MAX : 1)) {
  played.histories += 1;
  const name = `${stream}/${played.histories}`;
  const { holds, violations } = playHistory(name);
  played.holds += holds;
  const [violation] = violations;
  if (violation !== undefined) played.failed.push({ name, violation });
}
console.log(JSON.stringify(played));
