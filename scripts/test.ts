import { CHECKS, runSteps } from './run.ts';

/** Runs everything: the checks, the tests on real databases and servers, and the browser tests. */
await runSteps(CHECKS, [
  { name: 'build', command: ['node', 'scripts/build.ts'] },
  { name: 'budgets', command: ['node', 'scripts/budgets.ts'] },
  { name: 'server tests', command: ['vitest', 'run', '--project', 'server'] },
  { name: 'simulation', command: ['node', 'verify/main.ts', 'simulate', '--seeds', '300'] },
  { name: 'browser tests', command: ['vitest', 'run', '--project', 'e2e'] },
]);
