import { randomInt } from 'node:crypto';
import { takeNoArguments } from '../scripts/arguments.ts';
import { runPlaywright, runProgram } from '../scripts/run.ts';

/** What a part proves, how long it takes on two idle cores, and what runs it. @returns the exit code */
type Part = [proves: string, takes: string, run: (args: string[]) => Promise<number>];

// A part is loaded when it runs: Node can hang in process.exit() right after it compiled all of them for its cache.
const PARTS: Record<string, Part> = {
  simulate: [
    'random histories on a virtual clock break no rule; 10,000 by default',
    '75 min',
    async (args) => (await import('./histories.ts')).playHistories('simulation', args),
  ],
  kill: [
    'no write is lost or repeated when processes and PostgreSQL are killed; 100 kills by default',
    '15 min',
    async (args) => (await import('./kill/run.ts')).kill(args),
  ],
  fuzz: [
    'no request makes the server fail, leak or write what it refused; 50,000 by default',
    '20 min',
    async (args) => (await import('./fuzz/run.ts')).fuzz(args),
  ],
  model: [
    'random histories of one campaign break no rule of the decision; 100,000 by default',
    '1 min',
    async (args) => (await import('./histories.ts')).playHistories('model', args),
  ],
  'early-warning': [
    'documented incidents are suspected before the page says so; how often generated years are',
    '8 min',
    async (args) => (await import('./early-warning/run.ts')).replayEarlyWarning(args),
  ],
  mutants: [
    'the simulation and the model find every planted fault',
    '25 min',
    async (args) => (await import('./histories.ts')).findMutants(args),
  ],
  properties: [
    'the properties of the unit tests hold with a new seed, which is printed',
    '5 s',
    () => runTests('unit', ['src']),
  ],
  tests: [
    'the tests of verify/tests pass; -- tests start install runs some of them',
    '4 min',
    (args) => runTests('verify', args.length === 0 ? ['verify'] : args.map((name) => `verify/tests/${name}`)),
  ],
  states: [
    'every state of every page is accessible and shows whole texts, in both themes',
    '10 min',
    () => runPlaywright(['--project=e2e', 'states.spec'], { STATES: 'all' }),
  ],
  browser: [
    'the other browser tests: edges, live updates, keyboard, themes, pictures of the README',
    '10 min',
    () => runPlaywright(['--project=verify', '--project=before release']),
  ],
  demo: [
    'a real incident replayed for three advertisers breaks no rule',
    '20 s',
    () => runProgram(['verify/demo/main.ts']),
  ],
};
const TAKE_OPTIONS = ['simulate', 'kill', 'fuzz', 'model', 'early-warning', 'mutants', 'tests'];
const USAGE = `npm run verify                      all parts, one after the other
npm run verify -- PART [options]    one part; --help after simulate, kill, fuzz, model and mutants lists options

${Object.entries(PARTS)
  .map(([name, [proves, takes]]) => `${name.padEnd(14)}${takes.padStart(6)}  ${proves}`)
  .join('\n')}`;

/** Runs the tests of a Vitest project whose path contains one of `files`. */
function runTests(project: string, files: string[]): Promise<number> {
  // A new seed for the random cases of properties, printed so that a failure can be repeated.
  const FC_SEED = process.env['FC_SEED'] ?? String(randomInt(2 ** 31));
  console.log(`FC_SEED=${FC_SEED}`);
  return runProgram(['node_modules/vitest/vitest.mjs', 'run', `--project=${project}`, ...files], { FC_SEED });
}

async function runAll(): Promise<number> {
  const failed: string[] = [];
  for (const [name, [proves, , run]] of Object.entries(PARTS)) {
    console.log(`\n--- ${name}: ${proves}`);
    const startedAt = performance.now();
    const code = await run([]).catch((error: unknown) => {
      console.error(error);
      return 1;
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`--- ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
    if (code !== 0) failed.push(name);
  }
  console.log(`\n${failed.length} failed ${failed.join(', ')}`.trimEnd());
  return failed.length === 0 ? 0 : 1;
}

const [name = '', ...rest] = process.argv.slice(2);
const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
if (part === undefined && name !== '' && !name.startsWith('-')) {
  console.error(`There is no part ${name}.\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  if (!TAKE_OPTIONS.includes(name)) takeNoArguments(USAGE, part === undefined ? process.argv.slice(2) : rest);
  process.exitCode = await (part?.[2](rest) ?? runAll());
}
