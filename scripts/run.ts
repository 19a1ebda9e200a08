import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** A step of a longer run: a tool of this project's own node_modules, by its name and arguments. */
export interface Step {
  name: string;
  command: string[];
}

/** Runs one step with our Node and its tools first on the path. Its output is shown as it comes. */
function runStep({ command }: Step): Promise<number> {
  const [program = '', ...args] = command;
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(
    process.platform === 'win32' ? ';' : ':',
  );
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: path },
      shell: process.platform === 'win32',
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs all steps, one after the other, also after one has failed, and ends the process accordingly. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const failed: string[] = [];
  for (const step of steps) {
    const startedAt = performance.now();
    process.stdout.write(`\n--- ${step.name}\n`);
    const code = await runStep(step);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`--- ${step.name}: ${code === 0 ? 'ok' : 'FAILED'} in ${seconds} s\n`);
    if (code !== 0) failed.push(step.name);
  }
  process.stdout.write(failed.length === 0 ? '\nAll steps passed.\n' : `\nFailed: ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** What is checked before every commit, in about a minute and a half. */
export const CHECKS: Step[] = [
  { name: 'types: core', command: ['tsc', '-p', 'tsconfig.core.json'] },
  { name: 'types: server, tests, scripts', command: ['tsc', '-p', 'tsconfig.node.json'] },
  { name: 'types: web', command: ['tsc', '-p', 'tsconfig.web.json'] },
  { name: 'lint', command: ['eslint', '.'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'unit tests', command: ['vitest', 'run', '--project', 'unit'] },
];
