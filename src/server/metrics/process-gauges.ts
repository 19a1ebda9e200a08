import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What does not change while the process runs, so that rules can ask who is there and what is too late. */
export function addProcessGauges(
  registry: Registry,
  { role, staleMs }: { role: string; staleMs: number },
): void {
  const registers = [registry];
  const process = new Gauge({
    name: 'smartpause_process_info',
    help: 'Always 1: that this process runs, and what it does (ROLE).',
    labelNames: ['role'],
    registers,
  });
  process.set({ role }, 1);
  const stale = new Gauge({
    name: 'smartpause_status_stale_after_seconds',
    help: 'A status that was read longer ago counts as unknown: six polls, a minute at least.',
    registers,
  });
  stale.set(staleMs / 1000);
}
