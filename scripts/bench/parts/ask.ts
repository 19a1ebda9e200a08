import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LoadResult, Order } from './load.ts';

/** Sends the requests from a separate process: the load must not block the server's event loop. */
export async function ask(order: Order): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const output = await text(child.stdout);
  if (output === '') throw new Error('asking failed');
  return JSON.parse(output) as LoadResult;
}
