import { waitFor } from '../../scripts/outside/wait-for.ts';
import { receivedOf } from '../invariants/mailbox.ts';
import { checkRecords } from '../invariants/records.ts';
import { secretsIn } from '../invariants/secrets.ts';
import { isChange, isOurs, checkWriteLog } from '../invariants/write-log.ts';
import { nameOfAccount } from './fixture.ts';
import type { KillSchedule } from './kills.ts';
import { killProcesses } from './kills.ts';
import type { Harness, HarnessOptions } from './harness.ts';
import { startHarness } from './harness.ts';
import { changeStatus, runLoad } from './load.ts';

type KillOptions = HarnessOptions & KillSchedule;

export interface KillReport {
  broken: string[];
  counts: Record<
    | 'kills'
    | 'database faults'
    | 'changes of the status'
    | 'pauses'
    | 'resumes'
    | 'external changes'
    | 'calls'
    | 'mails',
    number
  >;
}

const WAIT_MS = 600_000;
/** Longer than leases of killed processes, unconfirmed writes and backoff last. */
const AHEAD_MS = 15 * 60_000;

/** From an empty database to the report: load and kills, rest, one undisturbed outage, emails, checks. */
export async function killRun(options: KillOptions): Promise<KillReport> {
  const harness = await startHarness(options);
  try {
    let isOver = false;
    const world = runLoad(harness, () => isOver);
    try {
      await killProcesses(harness, options);
    } finally {
      isOver = true;
      await world;
    }
    await harness.simulators.graph.ask('DELETE', '/faults');
    await changeStatus(harness, 'UP');
    await setClocksAhead(harness);
    await waitForNoHolds(harness);
    const broken = await checkUndisturbedOutage(harness);
    const unsent = 'select 1 from notification where sent_at is null';
    await waitFor('emails', async () => (await harness.query(unsent)).length === 0, WAIT_MS);
    return await check(harness, broken);
  } catch (error) {
    const log = await harness.readLog().catch(() => '');
    process.stderr.write(`${log.split('\n').slice(-25).join('\n')}\n`);
    throw error;
  } finally {
    await harness.close();
  }
}

/** Of the product, Meta and its status page, whose times are compared. */
async function setClocksAhead({ processes, simulators }: Harness): Promise<void> {
  await simulators.graph.post('/clock', { offsetMs: AHEAD_MS });
  await simulators.status.post('/clock', { offsetMs: AHEAD_MS });
  await processes.setAhead(AHEAD_MS);
}

async function waitForNoHolds({ query }: Harness): Promise<void> {
  const sql = `select campaign_id || ' ' || state as hold from hold where state <> 'ended'`;
  await waitFor('every hold to end', async () => (await query(sql)).length === 0, WAIT_MS);
}

/** Campaigns that are active with SmartPause on are paused and resumed; nothing else changes. */
async function checkUndisturbedOutage(harness: Harness): Promise<string[]> {
  const { graph } = harness.simulators;
  const rows = await harness.query<{ id: string }>(
    `select campaign_id as id from smart_pause where setting = 'ON'`,
  );
  const isOn = new Set(rows.map(({ id }) => id));
  const before = [...(await graph.campaigns()).values()];
  const expected = before.filter(({ id, status }) => isOn.has(id) && status === 'ACTIVE');
  for (const [level, status] of [
    ['HIGH_DISRUPTION', 'PAUSED'],
    ['UP', 'ACTIVE'],
  ] as const) {
    await changeStatus(harness, level);
    await waitFor(
      `${expected.length} campaigns to be ${status} in an outage without trouble`,
      async () => {
        const now = await graph.campaigns();
        return expected.every(({ id }) => now.get(id)?.status === status);
      },
      WAIT_MS,
    );
  }
  await waitForNoHolds(harness);
  const after = await graph.campaigns();
  return before
    .filter(({ id, status }) => after.get(id)?.status !== status)
    .map(({ name }) => `${name} changed in an outage without trouble`);
}

async function check(harness: Harness, broken: readonly string[]): Promise<KillReport> {
  const { simulators, fixture, query, runLog, processes } = harness;
  const { campaigns } = fixture;
  const writes = await simulators.graph.writes();
  const now = await simulators.graph.campaigns();
  const mails = await simulators.mailbox.messages();
  const log = await harness.readLog();
  const { violations, activities, holds } = await checkRecords({
    query,
    // The write log is compared with the activity log by campaign.
    changes: new Map(),
    received: receivedOf(mails),
    campaigns,
    accountNameOf: nameOfAccount,
  });
  const changes = writes.filter((write) => isOurs(write) && isChange(write));
  const countOf = (status: string): number => changes.filter((write) => write.status === status).length;
  const finalStatus = new Map([...now.values()].map(({ id, status }) => [id, status]));
  return {
    broken: [
      ...broken,
      ...checkWriteLog({ ...runLog, campaigns, writes, finalStatus, holds, activities }),
      ...violations,
      ...secretsIn(log, harness.secrets).map((secret) => `${secret} stands in the log`),
      ...processes.unexpectedEnds.map((end) => `a process ended by itself (${end})`),
    ],
    counts: {
      kills: processes.kills,
      'database faults': runLog.databaseFaults,
      'changes of the status': runLog.statusChanges.length,
      pauses: countOf('PAUSED'),
      resumes: countOf('ACTIVE'),
      'external changes': runLog.externalChanges.length,
      calls: runLog.calls.length,
      mails: mails.length,
    },
  };
}
