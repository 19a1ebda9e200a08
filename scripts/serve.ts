import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/server/config/read-config.ts';
import { runServer } from '../src/server/main.ts';
import { takeNoArguments } from './arguments.ts';
import { fail } from './command.ts';

const WEB_FOLDER = join(import.meta.dirname, '../dist/web');
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Production starts no simulators, whatever NODE_ENV says, and builds nothing at the start. */
async function main(): Promise<void> {
  // The first process of a container ignores signals without a handler. At first there is nothing to finish.
  const endAtOnce = (signal: (typeof SIGNALS)[number]): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
  const config = readConfig({ ...process.env, NODE_ENV: 'production' });
  if (!existsSync(join(WEB_FOLDER, 'index.html')))
    throw new Error(`The web app is not there (${WEB_FOLDER}): npm run build builds it.`);
  await runServer(config, { webFolder: WEB_FOLDER });
  for (const signal of SIGNALS) process.off(signal, endAtOnce);
}

takeNoArguments(
  'npm run serve    SmartPause in production: everything is configured (docs/configuration.md), and npm run build was run',
);
main().catch(fail);
