import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export const ROOT = join(import.meta.dirname, '..');

/** For our own programs: checks Node's version and caches the compiled code for the next start. */
export const NODE_OPTIONS_OF_OURS = ['--require', join(ROOT, 'scripts/require-node.cjs')];

/** A step of a longer run: a tool in this project's node_modules, with its arguments. */
export interface Step {
  name: string;
  command: string[];
}

/** A continuous integration log may keep only its end, so the reason of a failure is repeated there. */
const LINES_REPEATED = 60;

/** Runs one step with our Node and its tools first on the PATH, and writes its output to `output`. */
function runStep({ command }: Step, output: (text: Buffer) => void): Promise<number> {
  const [program = '', ...args] = command;
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(
    process.platform === 'win32' ? ';' : ':',
  );
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
      shell: process.platform === 'win32',
    });
    child.stdout.on('data', output);
    child.stderr.on('data', output);
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Runs Playwright on our browser tests, and prints what it prints. @returns the exit code */
export function runPlaywright(args: string[], env: Record<string, string> = {}): Promise<number> {
  const config = ['test', '--config', 'e2e/playwright.config.ts'];
  return runProgram(['node_modules/@playwright/test/cli.js', ...config, ...args], env);
}

/** Runs a program of this project with our Node, and prints what it prints. @returns the exit code */
export async function runProgram(args: string[], given: Record<string, string> = {}): Promise<number> {
  const env = { ...process.env, ...given };
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/**
 * The tests that passed and failed, or one for a step without tests. Vitest ends with one line, `Tests  1 failed |
 * 9 passed (10)`, and Playwright with two, `1 failed` and `9 passed (2.1m)`.
 */
function countOf(printed: string, code: number): { passed: number; failed: number } {
  const plain = stripVTControlCharacters(printed);
  const line = /^ +Tests +(.*)\(\d+\)$/m.exec(plain)?.[1] ?? plain.slice(plain.lastIndexOf('\n\n'));
  const passed = Number(/(\d+) passed/.exec(line)?.[1] ?? 0);
  const failed = Number(/(\d+) failed/.exec(line)?.[1] ?? 0);
  if (code === 0) return { passed: Math.max(1, passed), failed: 0 };
  return { passed, failed: Math.max(1, failed) };
}

/** Runs `checks` two at a time, then `tests` one by one. A failure does not stop the others. The last line counts. */
export async function runSteps(checks: readonly Step[], tests: readonly Step[] = []): Promise<void> {
  const failures: { name: string; lastLines: string }[] = [];
  const total = { passed: 0, failed: 0 };
  const print = (text: string | Buffer): void => void process.stdout.write(text);
  const run = async (step: Step, output: (text: Buffer) => void): Promise<string> => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    const code = await runStep(step, (text) => {
      chunks.push(text);
      output(text);
    });
    const printed = Buffer.concat(chunks).toString();
    const { passed, failed } = countOf(printed, code);
    total.passed += passed;
    total.failed += failed;
    if (code !== 0)
      failures.push({ name: step.name, lastLines: printed.split('\n').slice(-LINES_REPEATED).join('\n') });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return `--- ${step.name}: ${code === 0 ? 'ok' : 'FAILED'} in ${seconds} s\n`;
  };
  const waiting = [...checks];
  const runChecks = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const kept: Buffer[] = [];
      const result = await run(step, (text) => kept.push(text));
      print(Buffer.concat([...kept, Buffer.from(result)]));
    }
  };
  await Promise.all([runChecks(), runChecks()]);
  for (const step of tests) {
    print(`\n--- ${step.name}\n`);
    print(await run(step, print));
  }
  for (const { name, lastLines } of failures)
    print(`\n--- ${name} FAILED; its last lines were:\n${lastLines}`);
  print(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/**
 * The checks before every commit, longest first.
 * `--checkers 1`: further checkers of one program repeat work, and another check runs beside it.
 */
export const CHECKS: Step[] = [
  { name: 'lint', command: ['oxlint'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'types: server, tests, scripts', command: ['tsc', '-p', 'tsconfig.node.json', '--checkers', '1'] },
  { name: 'unit tests', command: ['vitest', 'run', '--project', 'unit'] },
  { name: 'types: web', command: ['tsc', '-p', 'tsconfig.web.json', '--checkers', '1'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'words to avoid', command: ['cspell', '--quiet', '--no-default-configuration', '.'] },
  {
    name: 'types of the database',
    command: ['node', ...NODE_OPTIONS_OF_OURS, 'scripts/schema.ts', '--check'],
  },
  { name: 'types: core', command: ['tsc', '-p', 'tsconfig.core.json'] },
];
