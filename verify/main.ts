import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { readArguments, takeNoArguments, whole } from '../scripts/arguments.ts';
import { ROOT } from '../scripts/run.ts';

/** One part of the verification. */
interface Part {
  proves: string;
  /** On two idle cores, with the usual numbers. */
  takes: string;
  /** @returns the exit code */
  run: (args: string[]) => Promise<number>;
}

// A part is loaded when it runs: Node can hang in process.exit() right after it compiled all of them for its cache.
const PARTS: Record<string, Part> = {
  simulate: {
    proves: 'random histories on a virtual clock break no rule; 10,000 by default',
    takes: '75 min',
    run: async (args) => (await import('./simulation/command.ts')).simulate(args, 10_000),
  },
  kill: {
    proves: 'no write is lost or repeated when processes and PostgreSQL are killed; 100 kills by default',
    takes: '15 min',
    run: async (args) => (await import('./kill/run.ts')).kill(args),
  },
  fuzz: {
    proves: 'no request makes the server fail, leak or write what it refused; 50,000 by default',
    takes: '20 min',
    run: async (args) => (await import('./fuzz/run.ts')).fuzz(args),
  },
  mutants: {
    proves: 'the simulation finds every planted fault',
    takes: '20 min',
    run: async (args) => (await import('./simulation/command.ts')).findMutants(args),
  },
  properties: {
    proves: 'the properties of the unit tests hold with a new seed, which is printed',
    takes: '5 s',
    run: (args) => withoutArguments(args, () => runTests('unit', ['src'])),
  },
  tests: {
    proves: 'the tests of verify/tests pass; -- tests start install runs some of them',
    takes: '4 min',
    run: (args) =>
      runTests('verify', args.length === 0 ? ['verify'] : args.map((name) => `verify/tests/${name}`)),
  },
  states: {
    proves: 'every state of every page is accessible and shows whole texts, in both themes',
    takes: '10 min',
    run: checkStates,
  },
  browser: {
    proves: 'the other browser tests: edges, live updates, keyboard, themes, pictures of the README',
    takes: '10 min',
    run: (args) => withoutArguments(args, () => runBrowserTests('verify')),
  },
  demo: {
    proves: 'a real incident replayed for three advertisers breaks no rule',
    takes: '20 s',
    run: (args) => withoutArguments(args, () => runProgram('verify/demo/main.ts', [])),
  },
};

const USAGE = `npm run verify                      all parts, one after the other
npm run verify -- PART [options]    one part; --help after simulate, kill, fuzz, mutants and states lists options

${Object.entries(PARTS)
  .map(([name, { takes, proves }]) => `${name.padEnd(12)}${takes.padStart(6)}  ${proves}`)
  .join('\n')}`;

const STATES_USAGE = 'npm run verify -- states [--states N]    N: only so many states, spread over the areas';

async function checkStates(args: string[]): Promise<number> {
  const states = readArguments(
    { usage: STATES_USAGE, names: ['states'] },
    ({ values }) => (values.states === undefined ? null : whole('states', values.states, 1, 1000)),
    args,
  );
  return runBrowserTests('e2e', ['states.spec'], { STATES: states === null ? 'all' : String(states) });
}

function withoutArguments(args: string[], run: () => Promise<number>): Promise<number> {
  takeNoArguments(USAGE, args);
  return run();
}

/** Runs the tests of a Vitest project whose path contains one of `files`; all, if there are none. */
function runTests(project: string, files: string[]): Promise<number> {
  // A new seed for the random cases of properties, printed so that a failure can be repeated.
  const FC_SEED = process.env['FC_SEED'] ?? String(randomInt(2 ** 31));
  console.log(`FC_SEED=${FC_SEED}`);
  const args = ['run', `--project=${project}`, ...files];
  return runProgram('node_modules/vitest/vitest.mjs', args, { FC_SEED });
}

/** Runs the tests of a Playwright project, or some of its files. */
function runBrowserTests(
  project: string,
  files: string[] = [],
  environment: Record<string, string> = {},
): Promise<number> {
  const args = ['test', '--config', 'e2e/playwright.config.ts', `--project=${project}`, ...files];
  return runProgram('node_modules/@playwright/test/cli.js', args, environment);
}

/** Runs a program of this project with our Node. @returns the exit code */
async function runProgram(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<number> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [join(ROOT, program), ...args], { cwd: ROOT, stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function runAll(): Promise<number> {
  const failed: string[] = [];
  for (const [name, { proves, run }] of Object.entries(PARTS)) {
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

function refusePart(name: string): number {
  console.error(`There is no part ${name}.\n\n${USAGE}`);
  return 2;
}

const [name = '', ...rest] = process.argv.slice(2);
const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
if (part !== undefined) process.exitCode = await part.run(rest);
else if (name === '' || name.startsWith('-'))
  process.exitCode = await withoutArguments([name].filter(Boolean), runAll);
else process.exitCode = refusePart(name);
