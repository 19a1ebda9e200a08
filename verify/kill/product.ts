/** The product as a process with its own clock. Settings come from the environment. */
import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import { readConfig } from '../../src/server/config/read-config.ts';
import { runServer } from '../../src/server/main.ts';

/** With the default of 30 s a run would mostly wait for leases of killed processes. */
const TIMINGS = { leaseMs: 3000, pollMs: 100, sweepMs: 60_000 };

const clock = new OffsetClock();
clock.advance(Number(process.env['AHEAD_MS']));
const [webFolder = ''] = process.argv.slice(2);
await runServer(readConfig(process.env), { clock, webFolder, timings: TIMINGS });
