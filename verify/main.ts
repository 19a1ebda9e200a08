import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readArguments, takeNoArguments, whole } from '../scripts/arguments.ts';
import { fuzzContract } from './fuzz/command.ts';
import { kill } from './kill/command.ts';
import { simulate } from './simulation/command.ts';
import { runMutants } from './simulation/mutants-command.ts';

const USAGE = `npm run verify [-- --seeds N --kills N --requests N]    the longest runs, one after the other
npm run verify -- simulate [options]    random histories on a virtual clock
npm run verify -- kill [options]        the real server killed under load
npm run verify -- fuzz [options]        requests made from the contract
npm run verify -- mutants [options]     planted faults, each until the simulation finds it
npm run verify -- states                every state of every page in both themes

--help after a name lists its options.`;

const STATES_USAGE = `npm run verify -- states

Opens every state of every page in the light and the dark theme, checks accessibility and cut text. Needs no option.`;

const COMMANDS = { simulate, kill, fuzz: fuzzContract, mutants: runMutants, states: checkStates };

const [name = '', ...rest] = process.argv.slice(2);
const one = Object.entries(COMMANDS).find(([command]) => command === name)?.[1];
process.exitCode = await (one === undefined ? runAll() : one(rest));

async function runAll(): Promise<number> {
  const { seeds, kills, requests } = readArguments(
    { usage: USAGE, names: ['seeds', 'kills', 'requests'] },
    ({ values }) => ({
      seeds: whole('seeds', values.seeds ?? '10000', 1, 10_000_000),
      kills: whole('kills', values.kills ?? '100', 1, 100_000),
      requests: whole('requests', values.requests ?? '50000', 1, 100_000_000),
    }),
  );
  const codes = [
    await simulate(['--seeds', String(seeds)]),
    await kill(['--kills', String(kills)]),
    await fuzzContract(['--requests', String(requests)]),
  ];
  return Math.max(...codes);
}

/** @returns the exit code */
async function checkStates(args: string[]): Promise<number> {
  takeNoArguments(STATES_USAGE, args);
  const child = spawn('npx', ['vitest', 'run', '--project', 'e2e', 'e2e/states'], {
    stdio: 'inherit',
    env: { ...process.env, CATALOGUE_THEMES: 'both' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
