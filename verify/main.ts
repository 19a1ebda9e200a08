import { globSync } from 'node:fs';
import { takeNoArguments, readArguments, whole } from '../scripts/arguments.ts';
import { ROOT } from '../scripts/run.ts';
import { fuzzContract } from './fuzz/command.ts';
import { kill } from './kill/command.ts';
import { runProgram, runTests, withRandomSeed } from './run-tests.ts';
import { simulate } from './simulation/command.ts';
import { runMutants } from './simulation/mutants-command.ts';

/** The options of `npm run verify` without a part. */
const NUMBERS = ['seeds', 'kills', 'requests', 'states'] as const;

/** One part of the verification. */
interface Part {
  proves: string;
  /** Measured on two idle cores, with the usual numbers. */
  takes: string;
  /** Numbers of `npm run verify` that this part takes, by option. */
  numbers?: readonly (typeof NUMBERS)[number][];
  /** The tests in verify/tests that it runs, by the start of their paths. */
  files?: readonly string[];
  /** @returns the exit code */
  run: (args: string[]) => Promise<number>;
}

const file = (proves: string, takes: string, ...files: string[]): Part => ({
  proves,
  takes,
  files,
  run: (args) =>
    withoutOptions(args, () =>
      runTests(
        'verify',
        files.map((one) => `verify/tests/${one}`),
      ),
    ),
});

const PARTS: Record<string, Part> = {
  simulate: {
    proves: 'random histories on a virtual clock break no rule; 10,000 by default',
    takes: '2 h',
    numbers: ['seeds'],
    run: (args) => simulate(args, 10_000),
  },
  kill: {
    proves:
      'no action is lost or repeated when processes and database servers are killed; 100 kills by default',
    takes: '6 min',
    numbers: ['kills'],
    run: kill,
  },
  fuzz: {
    proves: 'no request makes the server fail, leak or write what it refused; 50,000 by default',
    takes: '10 min',
    numbers: ['requests'],
    run: fuzzContract,
  },
  mutants: { proves: 'the simulation finds every planted fault', takes: '15 min', run: runMutants },
  crash: file(
    'no campaign stays paused after a SIGKILL at any statement of a pass or of leaving',
    '2 min',
    'crash',
  ),
  properties: {
    proves: 'the properties of the unit tests hold with a new seed, which is printed',
    takes: '10 s',
    run: (args) => withoutOptions(args, () => runTests('unit', ['src'], withRandomSeed())),
  },
  tools: file(
    'invariants and shrinking of the simulation find what is wrong',
    '5 s',
    'invariants',
    'shrink',
    'fuzz',
  ),
  install: file('a production install starts, migrates and survives an outage', '2 min', 'install'),
  start: file('npm start says its address, and ends with its simulators', '1 min', 'start'),
  embedded: file('the embedded PostgreSQL survives SIGKILL of itself and of SmartPause', '30 s', 'embedded'),
  'recover-holds': file(
    'after a restore, what SmartPause did since the backup is found',
    '1 min',
    'recover-holds',
  ),
  cost: file(
    'an outage costs two calls to Meta and a fixed number of rows per campaign',
    '1 min',
    'outage-cost',
  ),
  roles: file('the role of least rights is enough for the product', '20 s', 'database-roles'),
  kubernetes: file('the Kubernetes example has only fields that Kubernetes knows', '5 s', 'kubernetes'),
  admin: file('npm run admin uses the embedded database of a running SmartPause', '10 s', 'admin-command'),
  limits: file('500 toggles pass, and real rate limits hold', '1 min', 'limits'),
  'slow-clients': file('slow and silent clients are cut off', '1 min', 'slow-clients'),
  'database-away': file('a database that is cut off or silent ends no process', '1 min', 'database-away'),
  reconciler: file('several workers, a busy server and a platform that is down', '2 min', 'reconciler'),
  webhooks: {
    proves: 'any order, loss and doubling of webhooks gives the same subscription, with a new seed',
    takes: '1 min',
    files: ['webhook-order'],
    run: (args) =>
      withoutOptions(args, () => runTests('verify', ['verify/tests/webhook-order'], withRandomSeed())),
  },
  conformance: {
    proves: 'the simulators conform to the libraries of Meta and Stripe',
    takes: '2 min',
    files: ['conformance'],
    run: (args) =>
      withoutOptions(args, async () => {
        const environment = { STRIPE_CONFORMANCE: '1' };
        const files = ['simulators/stripe', 'src/server/services/billing/billing-edges'];
        return (
          (await runTests('server', files, environment)) || runTests('verify', ['verify/tests/conformance'])
        );
      }),
  },
  states: {
    proves: 'every state of every page is accessible and shows whole texts, in both themes',
    takes: '20 min',
    numbers: ['states'],
    run: checkStates,
  },
  browser: {
    proves: 'the other browser tests: edges, failures, live updates, keyboard, themes, the demo',
    takes: '15 min',
    run: (args) =>
      withoutOptions(args, () => runTests('verify-browser', ['e2e'], {}, ['--exclude', 'e2e/states/**'])),
  },
  demo: {
    proves: 'a real incident replayed for three advertisers, under faults and with a kill',
    takes: '1 min',
    run: (args) => withoutOptions(args, () => runProgram('scripts/demo/main.ts')),
  },
};

const USAGE = `npm run verify [-- --seeds N --kills N --requests N --states N]    all parts, one after the other
npm run verify -- PART [options]    one part; --help after its name lists its options

${Object.entries(PARTS)
  .map(([name, { takes, proves }]) => `${name.padEnd(16)}${takes.padStart(8)}  ${proves}`)
  .join('\n')}`;

const STATES_USAGE =
  'npm run verify -- states [--states N]    N: only about so many states, spread over the areas';

async function checkStates(args: string[]): Promise<number> {
  const states = readArguments(
    { usage: STATES_USAGE, names: ['states'] },
    ({ values }) => (values.states === undefined ? null : whole('states', values.states, 1, 1000)),
    args,
  );
  const only = states === null ? {} : { CATALOGUE_STATES: String(states) };
  return runTests('verify-browser', ['e2e/states'], { CATALOGUE_THEMES: 'both', ...only });
}

function isInSomePart(test: string): boolean {
  return Object.values(PARTS).some(({ files = [] }) =>
    files.some((file) => test.startsWith(`verify/tests/${file}`)),
  );
}

function withoutOptions(args: string[], run: () => Promise<number>): Promise<number> {
  takeNoArguments(USAGE, args);
  return run();
}

async function runAll(args: string[]): Promise<number> {
  const given = readArguments(
    { usage: USAGE, names: NUMBERS },
    ({ values }) =>
      NUMBERS.flatMap((name) =>
        values[name] === undefined ? [] : [[name, whole(name, values[name], 1, 1e8)] as const],
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
    const options = given.flatMap(([number, value]) =>
      part.numbers?.includes(number) === true ? [`--${number}`, String(value)] : [],
    );
    const startedAt = performance.now();
    const code = await part.run(options).catch((error: unknown) => {
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

const [name = '', ...rest] = process.argv.slice(2);
process.exitCode = await (Object.hasOwn(PARTS, name)
  ? PARTS[name]?.run(rest)
  : runAll(process.argv.slice(2)));
