/** Loaded into a process before its program (`node --import`): tells its parent what it uses, whenever it is asked. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
let cpu = process.cpuUsage();
let at = performance.now();

process.on('message', (message: unknown) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage(cpu);
  const now = performance.now();
  process.send?.({
    cpuMs: (user + system) / 1000,
    wallMs: now - at,
    longestBlockMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    residentMb: process.memoryUsage.rss() / 1e6,
  });
  cpu = process.cpuUsage();
  at = now;
  delay.reset();
});
process.channel?.unref();
