import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LoadResult, Order } from './load.ts';

/** Asks from a process of its own, so that asking takes nothing from whoever answers but a processor. */
export async function ask(order: Order): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const told = await text(child.stdout);
  if (told === '') throw new Error('asking failed');
  return JSON.parse(told) as LoadResult;
}
