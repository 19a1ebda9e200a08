import { takeNoArguments } from './arguments.ts';
import { CHECKS, runSteps } from './run.ts';

takeNoArguments('npm run check    types, lint, format, dead code, words to avoid, unit tests');
await runSteps(CHECKS);
