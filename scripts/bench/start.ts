import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeBrowser, sharedBrowser } from '../browser/browser.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { buildWeb } from '../build.ts';
import { freePort } from '../outside/free-port.ts';
import { waitFor } from '../outside/wait-for.ts';
import { ROOT } from '../run.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, median } from './parts/figure.ts';
import { plantRows, plantTokens } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';

/** Measures from `npm start` to the visible page, with the data of 1,000 users in the folder. */
const POPULATION = { users: 1000, accountsEach: 2, campaignsEach: 5 };
const REPETITIONS = 5;
const LIMIT_MS = 4000;
const SEEN = 'Stop paying';

export async function run(): Promise<Figure[]> {
  const database = await ownDatabase(true);
  try {
    const at = new Date();
    await database.during(async (db) => {
      await plantRows(db, POPULATION, at);
      const tokens = Array.from({ length: POPULATION.users }, (_, user) => `token-${user}`);
      await plantTokens(db, createTokenCipher([database.encryptionKey]), tokens, at);
    });
    await buildWeb();
    const took: number[] = [];
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
      took.push(await startOnce(database.environment));
    const measured = median(took);
    return [
      {
        what: '`npm start` on an existing data folder, to the first page in a browser',
        measured: `${inMs(measured)} (longest ${inMs(Math.max(...took))}), median of ${REPETITIONS}`,
        yardstick: `limit ${inMs(LIMIT_MS)}`,
        ratio: measured / LIMIT_MS,
        limit: { atMost: 1 },
      },
    ];
  } finally {
    await closeBrowser();
    await database.close();
  }
}

/** The browser is already open. */
async function startOnce(environment: Record<string, string>): Promise<number> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const context = await (await sharedBrowser()).newContext();
  const page = await context.newPage();
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    // A process group of its own, so that the children of npm end with it.
    detached: true,
    env: { ...process.env, ...environment, PORT: String(port), PUBLIC_URL: url, SIMULATOR_PORTS: 'free' },
  });
  const exited = once(child, 'exit');
  try {
    // A browser that reloads in a loop takes processor time from the start that it waits for.
    await waitFor('an answer', () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    await page.goto(url);
    await page.getByText(SEEN).first().waitFor();
    return performance.now() - began;
  } finally {
    await context.close();
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  }
}
