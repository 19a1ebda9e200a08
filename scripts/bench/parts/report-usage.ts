/** Loaded into a process before its program (`node --import`): reports the usage to the parent on request. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let longestWorkMs = 0;
let threadCpu = process.threadCpuUsage();
let cpu = process.cpuUsage();
let at = performance.now();

process.on('message', (message: unknown) => {
  if (message === 'watch-loop') watchLoop();
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage(cpu);
  const now = performance.now();
  process.send?.({
    cpuMs: (user + system) / 1000,
    wallMs: now - at,
    longestBlockMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    longestWorkMs,
    residentMb: process.memoryUsage.rss() / 1e6,
  });
  cpu = process.cpuUsage();
  at = now;
  delay.reset();
  longestWorkMs = 0;
});
process.channel?.unref();

/** Only on request: watching the loop costs processor time, which would show in an idle process. */
function watchLoop(): void {
  delay.enable();
  threadCpu = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(threadCpu);
    threadCpu = process.threadCpuUsage();
    longestWorkMs = Math.max(longestWorkMs, (user + system) / 1000);
  }, RESOLUTION_MS).unref();
}
