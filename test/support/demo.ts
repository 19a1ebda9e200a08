import { rm } from 'node:fs/promises';
import { ROOT } from '../../scripts/run.ts';
import { makeDataFolder } from './data-folder.ts';
import { freePort } from '../../scripts/programs/free-port.ts';
import { startProgram } from '../../scripts/programs/program.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';

/** `npm start` on a free port with an empty folder, for pictures and tests. */
export async function startDemo(SIMULATOR_PORTS = 'free', throughNpm = false) {
  const PORT = String(await freePort());
  const DATA_DIR = await makeDataFolder('demo');
  const env = { PATH: process.env['PATH'], DATA_DIR, LOG_LEVEL: 'fatal', PORT, SIMULATOR_PORTS };
  const at = { cwd: ROOT, env };
  const program = throughNpm ? startProgram(['start'], at, 'npm') : startProgram(['scripts/start.ts'], at);
  const { child, output, ended } = program;
  return {
    ...program,
    url: `http://localhost:${PORT}`,
    runs: () => waitFor('SmartPause', () => output.out.includes('SmartPause is running'), 120_000),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      // PostgreSQL may still write its last files.
      await rm(DATA_DIR, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
