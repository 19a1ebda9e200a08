import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../scripts/run.ts';

/**
 * Runs the tests of a Vitest project whose path contains one of `files`; all, if there are none.
 * @returns the exit code
 */
export function runTests(
  project: string,
  files: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  return runProgram('node_modules/vitest/vitest.mjs', ['run', `--project=${project}`, ...files], environment);
}

/** Runs the tests of a Playwright project, or some of its files. @returns the exit code */
export function runBrowserTests(
  project: string,
  files: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<number> {
  const args = ['test', '--config', 'e2e/playwright.config.ts', `--project=${project}`, ...files];
  return runProgram('node_modules/@playwright/test/cli.js', args, environment);
}

/** Runs a program of this project with our Node. @returns the exit code */
export async function runProgram(
  program: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, program), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** A new seed for the random cases of tests, printed so that a failure can be repeated. */
export function withRandomSeed(): Record<string, string> {
  const seed = String(randomInt(2 ** 31));
  console.log(`FC_SEED=${seed}`);
  return { FC_SEED: seed };
}
