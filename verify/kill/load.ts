import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultInput } from '../../simulators/kit/faults.ts';
import type { StatusChange } from '../invariants/write-log.ts';
import type { Harness } from './harness.ts';

/** The phrases of the status page for each level. */
const PHRASES = {
  UP: 'Resolved',
  LOW_DISRUPTION: 'Low disruptions',
  MEDIUM_DISRUPTION: 'Medium disruptions',
  HIGH_DISRUPTION: 'High disruptions',
} as const;
type Level = keyof typeof PHRASES;

const LEVELS: Level[] = ['LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION', 'HIGH_DISRUPTION'];
const KNOWN_WITHIN_MS = 12_000;

/** Changes the status page and orders faults of Meta until the run is over. */
export async function runLoad(harness: Harness, isOver: () => boolean): Promise<void> {
  const { random, statusChanges } = harness;
  while (!isOver()) {
    const isUp = (statusChanges.at(-1)?.level ?? 'UP') === 'UP';
    if (random.chance(0.35)) await orderFaults(harness);
    await changeStatus(harness, isUp || random.chance(0.3) ? random.pick(LEVELS) : 'UP', isOver);
    await sleep(random.whole(300, 2000));
  }
}

/** Changes the page and waits, up to a limit, until the database has it. */
export async function changeStatus(harness: Harness, level: Level, isOver = () => false): Promise<void> {
  const { simulators, statusChanges, clock, query } = harness;
  const change: StatusChange = { level, at: clock.now(), knownAt: null };
  statusChanges.push(change);
  await simulators.status.reports(PHRASES[level]);
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  while (performance.now() < deadline && !isOver()) {
    const sql = 'select known, checked_at from platform_status';
    const [row] = await query<{ known: string; checked_at: Date }>(sql).catch(() => []);
    // An equal level from before the change proves nothing: a reading of the page in between may still be stored.
    if (row?.known === level && row.checked_at.getTime() > change.at) {
      change.knownAt = clock.now();
      return;
    }
    await sleep(60);
  }
}

/** Orders faults of Meta for the next few calls in one ad account. */
async function orderFaults({ random, simulators, campaigns }: Harness): Promise<void> {
  const { account } = random.pick(campaigns);
  const write = { method: 'POST', account };
  const inner = { op: 'inner', ...write };
  const fault = random.pick<FaultInput>([
    { kind: 'applied_but_error', code: 1, match: inner },
    { kind: 'null_entry_applied', match: inner },
    { kind: 'null_entry', match: inner },
    { kind: 'error', code: 2, match: inner },
    { kind: 'reset', match: { account } },
    { kind: 'reset_after', match: write },
    { kind: 'truncated', match: write },
    { kind: 'html', match: { method: 'GET', account } },
  ]);
  await simulators.graph.fault({ ...fault, times: random.whole(1, 3) });
}
