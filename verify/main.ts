import { globSync } from 'node:fs';
import { readArguments, takeNoArguments, whole } from '../scripts/arguments.ts';
import { ROOT } from '../scripts/run.ts';
import { runBrowserTests, runProgram, runTests, withRandomSeed } from './run-tests.ts';

/** The options of `npm run verify` without a part. */
const NUMBERS = ['seeds', 'kills', 'requests', 'states'] as const;

/** One part of the verification. */
interface Part {
  proves: string;
  /** On two idle cores, with the usual numbers. */
  takes: string;
  /** The tests in verify/tests that it runs, by the start of their paths. */
  files?: readonly string[];
  /** The option of `npm run verify` that it takes. */
  number?: (typeof NUMBERS)[number];
  /** It reads its own options and answers --help. */
  hasOptions?: true;
  /** @returns the exit code */
  run: (args: string[]) => Promise<number>;
}

const file = (proves: string, takes: string, ...files: string[]): Part => {
  const paths = files.map((one) => `verify/tests/${one}`);
  return { proves, takes, files, run: () => runTests('verify', paths) };
};

// A part is loaded when it runs: Node can hang in process.exit() right after it compiled all of them for its cache.
const PARTS: Record<string, Part> = {
  simulate: {
    proves: 'random histories on a virtual clock break no rule; 10,000 by default',
    takes: '75 min',
    number: 'seeds',
    hasOptions: true,
    run: async (args) => (await import('./simulation/command.ts')).simulate(args, 10_000),
  },
  kill: {
    proves: 'no write is lost or repeated when processes and PostgreSQL are killed; 100 kills by default',
    takes: '15 min',
    number: 'kills',
    hasOptions: true,
    run: async (args) => (await import('./kill/run.ts')).kill(args),
  },
  fuzz: {
    proves: 'no request makes the server fail, leak or write what it refused; 50,000 by default',
    takes: '30 min',
    number: 'requests',
    hasOptions: true,
    run: async (args) => (await import('./fuzz/run.ts')).fuzz(args),
  },
  mutants: {
    proves: 'the simulation finds every planted fault',
    takes: '20 min',
    hasOptions: true,
    run: async (args) => (await import('./simulation/command.ts')).findMutants(args),
  },
  properties: {
    proves: 'the properties of the unit tests hold with a new seed, which is printed',
    takes: '5 s',
    run: () => runTests('unit', ['src'], withRandomSeed()),
  },
  tools: file('the invariants find violations', '5 s', 'invariants'),
  install: file('a production install starts, migrates and survives an outage', '45 s', 'install'),
  start: file('npm start prints its address, and ends with its simulators', '20 s', 'start'),
  embedded: file(
    'the embedded PostgreSQL survives SIGKILL of itself and of SmartPause',
    '20 s',
    'dev-postgres',
  ),
  'recover-holds': file(
    'after a restore, what SmartPause did since the backup is found',
    '30 s',
    'recover-holds',
  ),
  cost: file(
    'an outage costs two calls to Meta and a fixed number of rows per campaign',
    '30 s',
    'outage-cost',
  ),
  roles: file('the role of least rights is enough for the product', '10 s', 'database-roles'),
  admin: file('npm run admin uses the embedded database of a running SmartPause', '10 s', 'admin-command'),
  limits: file('500 toggles and the users behind one proxy stay within the rate limits', '10 s', 'limits'),
  'slow-clients': file('slow and silent clients are cut off', '10 s', 'slow-clients'),
  'database-away': file('a database that is cut off or silent ends no process', '30 s', 'database-away'),
  reconciler: file('several workers, a busy server and a platform that is down', '1 min', 'reconciler'),
  webhooks: {
    proves: 'any order, loss and doubling of webhooks gives the same subscription, with a new seed',
    takes: '10 s',
    files: ['webhook-order'],
    run: () => runTests('verify', ['verify/tests/webhook-order'], withRandomSeed()),
  },
  conformance: file('the Stripe simulator conforms to the library of Stripe', '20 s', 'stripe-conformance'),
  states: {
    proves: 'every state of every page is accessible and shows whole texts, in both themes',
    takes: '10 min',
    number: 'states',
    hasOptions: true,
    run: checkStates,
  },
  browser: {
    proves:
      'the other browser tests: edges, live updates, keyboard, themes, the demo, pictures of the README',
    takes: '10 min',
    run: () => runBrowserTests('verify'),
  },
  demo: {
    proves: 'a real incident replayed for three advertisers, with faults of Meta',
    takes: '20 s',
    run: () => runProgram('verify/demo/main.ts'),
  },
};

const lineOf = ([name, { takes, proves }]: [string, Part]): string =>
  `${name.padEnd(16)}${takes.padStart(6)}  ${proves}`;

const USAGE = `npm run verify [-- --seeds N --kills N --requests N --states N]    all parts, one after the other
npm run verify -- PART [options]    one part; --help after simulate, kill, fuzz, mutants and states lists options

${Object.entries(PARTS).map(lineOf).join('\n')}`;

const STATES_USAGE = 'npm run verify -- states [--states N]    N: only so many states, spread over the areas';

async function checkStates(args: string[]): Promise<number> {
  const states = readArguments(
    { usage: STATES_USAGE, names: ['states'] },
    ({ values }) => (values.states === undefined ? null : whole('states', values.states, 1, 1000)),
    args,
  );
  return runBrowserTests('e2e', ['states.spec'], { STATES: states === null ? 'all' : String(states) });
}

async function runPart(name: string, part: Part, args: string[]): Promise<number> {
  if (part.hasOptions !== true) takeNoArguments(`npm run verify -- ${name}\n\n${lineOf([name, part])}`, args);
  return part.run(args);
}

async function runAll(args: string[]): Promise<number> {
  const given = readArguments(
    { usage: USAGE, names: NUMBERS },
    ({ values }) =>
      new Map(
        NUMBERS.flatMap((name) => {
          const text = values[name];
          return text === undefined ? [] : [[name, whole(name, text, 1, 1e8)] as const];
        }),
      ),
    args,
  );
  const forgotten = globSync('verify/tests/**/*.test.ts', { cwd: ROOT }).filter(
    (test) => !isInSomePart(test),
  );
  if (forgotten.length > 0) throw new Error(`No part runs ${forgotten.join(', ')}`);
  const failed: string[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    console.log(`\n--- ${name}: ${part.proves}`);
    const value = part.number === undefined ? undefined : given.get(part.number);
    const startedAt = performance.now();
    const options = value === undefined ? [] : [`--${String(part.number)}`, String(value)];
    const code = await runPart(name, part, options).catch((error: unknown) => {
      console.error(error);
      return 1;
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`--- ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
    if (code !== 0) failed.push(name);
  }
  const count = Object.keys(PARTS).length;
  console.log(`\n${count - failed.length} passed, ${failed.length} failed ${failed.join(', ')}`.trimEnd());
  return failed.length === 0 ? 0 : 1;
}

function isInSomePart(test: string): boolean {
  return Object.values(PARTS).some(({ files = [] }) =>
    files.some((start) => test.startsWith(`verify/tests/${start}`)),
  );
}

function refusePart(name: string): number {
  console.error(`There is no part ${name}.\n\n${USAGE}`);
  return 2;
}

const [name = '', ...rest] = process.argv.slice(2);
const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
if (part !== undefined) process.exitCode = await runPart(name, part, rest);
else if (name === '' || name.startsWith('-')) process.exitCode = await runAll(process.argv.slice(2));
else process.exitCode = refusePart(name);
