import { takeNoArguments } from './arguments.ts';
import { CHECKS, runSteps } from './run.ts';

takeNoArguments('npm test    the checks, server tests, 25 simulated histories, browser tests');

const BUILD = { name: 'build and size budgets', command: ['node', 'scripts/budgets.ts'] };

/** The checks, the tests on real databases and servers, simulated histories with fixed seeds, and the browser tests. */
await runSteps(
  [...CHECKS, BUILD],
  [
    { name: 'server tests', command: ['vitest', 'run', '--project', 'server'] },
    { name: 'simulation', command: ['node', 'verify/main.ts', 'simulate', '--seeds', '25'] },
    {
      name: 'browser tests',
      command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--project=e2e'],
    },
  ],
);
