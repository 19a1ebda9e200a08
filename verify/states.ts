import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { takeNoArguments } from '../scripts/arguments.ts';

const USAGE = `npm run verify -- states

Opens every state of every page in the light and the dark theme, checks accessibility and cut text. Needs no option.`;

/** @returns the exit code */
export async function checkStates(args: string[]): Promise<number> {
  takeNoArguments(USAGE, args);
  const child = spawn('npx', ['vitest', 'run', '--project', 'e2e', 'e2e/states'], {
    stdio: 'inherit',
    env: { ...process.env, CATALOGUE_THEMES: 'both' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
