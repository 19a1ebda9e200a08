/**
 * The product as the demo runs it: unchanged, with a faster clock and a matching
 * lease. Settings come from the environment; demo parameters come as arguments.
 */
import { createApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import { replayClock } from './replay-clock.ts';

const [started = '0', begins = '0', speed = '1', webFolder = ''] = process.argv.slice(2);
const clock = replayClock({ started: Number(started), begins: Number(begins), speed: Number(speed) });
const realSecond = Number(speed) * 1000;
const timings = { leaseMs: 3 * realSecond, pollMs: 0.1 * realSecond, sweepMs: 5 * realSecond };
const config = readConfig(process.env);
const app = await createApp(config, { webFolder, clock, timings });
await app.http.listen({ port: config.port, host: config.host });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.stdout.write('ready\n');
