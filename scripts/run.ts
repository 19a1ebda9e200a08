import { spawn } from 'node:child_process';
import { join } from 'node:path';

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

/** Runs `checks` two at a time, then `tests` one by one. A failure does not stop the others. */
export async function runSteps(checks: readonly Step[], tests: readonly Step[] = []): Promise<void> {
  const failed: { name: string; lastLines: string }[] = [];
  const print = (text: string | Buffer): void => void process.stdout.write(text);
  const run = async (step: Step, output: (text: Buffer) => void): Promise<string> => {
    const startedAt = performance.now();
    const printed: Buffer[] = [];
    const code = await runStep(step, (text) => {
      printed.push(text);
      output(text);
    });
    const lines = Buffer.concat(printed).toString().split('\n');
    if (code !== 0) failed.push({ name: step.name, lastLines: lines.slice(-LINES_REPEATED).join('\n') });
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
  for (const { name, lastLines } of failed) print(`\n--- ${name} FAILED; its last lines were:\n${lastLines}`);
  const names = failed.map(({ name }) => name).join(', ');
  print(failed.length === 0 ? '\nAll steps passed.\n' : `\nFailed: ${names}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** The checks before every commit, longest first. */
export const CHECKS: Step[] = [
  { name: 'lint', command: ['eslint', '.'] },
  { name: 'types: core', command: ['tsc', '-p', 'tsconfig.core.json'] },
  { name: 'types: server, tests, scripts', command: ['tsc', '-p', 'tsconfig.node.json'] },
  { name: 'types: web', command: ['tsc', '-p', 'tsconfig.web.json'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'words to avoid', command: ['cspell', '--quiet', '--no-default-configuration', '.'] },
  { name: 'unit tests', command: ['vitest', 'run', '--project', 'unit'] },
];
