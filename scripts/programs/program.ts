import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Env = Record<string, string | undefined>;

/** Starts a program, by default Node. @returns what it has printed so far, and its exit code or signal */
export function startProgram(
  args: string[],
  { cwd, env }: { cwd: string; env: Env },
  program = process.execPath,
) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  return { child, output, ended };
}
