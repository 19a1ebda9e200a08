import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../run.ts';
import { makeDataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/** `npm start` on free ports with an empty folder, for pictures and tests. */
export async function startDemo(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const folder = await makeDataFolder('demo');
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    env: {
      ...{ PATH: process.env['PATH'], DATA_DIR: folder, LOG_LEVEL: 'fatal' },
      ...{ PORT: String(port), SIMULATOR_PORTS: 'free' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  await waitFor('SmartPause', () => printed.includes('SmartPause is running'), 120_000);
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      // PostgreSQL may still write its last files.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
