/**
 * The product as `npm start` runs it, with settings from the environment like always, except for how long the work of
 * a dead process waits for another: the arguments are the folder of the built web app and that lease in milliseconds.
 */
import { readConfig } from '../../src/server/config.ts';
import { ENGINE_TIMINGS } from '../../src/server/engine/loop.ts';
import { runServer } from '../../src/server/main.ts';

const [webFolder = '', leaseMs = ''] = process.argv.slice(2);
const timings = leaseMs === '' ? ENGINE_TIMINGS : { ...ENGINE_TIMINGS, leaseMs: Number(leaseMs) };
await runServer(readConfig(process.env), { webFolder, timings });
