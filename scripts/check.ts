import { CHECKS, runSteps } from './run.ts';

await runSteps(CHECKS);
