import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWeb } from '../../build.ts';
import { freePort } from '../../outside/free-port.ts';
import { ROOT } from '../../run.ts';
import { MeasuredProcess } from './measured-process.ts';

export interface StartedProduct {
  process: MeasuredProcess;
  url: string;
  port: number;
}

/**
 * Starts the product in a separate process on a free port.
 * @param environment the addresses of Meta and the database, and settings that differ from the defaults
 * @param concurrency as in `AppOptions`
 */
export async function startProduct(
  environment: Record<string, string>,
  concurrency?: number,
): Promise<StartedProduct> {
  const { folder } = await buildWeb();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = [...(await flagsOfStart()), join(import.meta.dirname, 'product.ts'), folder];
  if (concurrency !== undefined) program.push(String(concurrency));
  const process = await MeasuredProcess.start(program, {
    readyAt: /SmartPause is ready/,
    environment: { ...environment, PORT: String(port), PUBLIC_URL: url },
  });
  return { process, url, port };
}

/** Node's flags of `npm start`. */
async function flagsOfStart(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--max-'));
}
