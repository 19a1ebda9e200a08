import { waitFor } from '../../scripts/outside/wait-for.ts';
import { judgeActivityLog, readActivityLog } from '../invariants/activity-log.ts';
import { judgeMailbox, readOutbox } from '../invariants/mailbox.ts';
import { secretsIn } from '../invariants/secrets.ts';
import { takeSnapshot } from '../invariants/snapshot.ts';
import { isChange, isOurs, judgeWriteLog } from '../invariants/write-log.ts';
import { nameOfAccount } from './cast.ts';
import { killProcesses } from './killer.ts';
import type { Stage, StageOptions } from './stage.ts';
import { setStage } from './stage.ts';
import { changeStatus, goOn } from './world.ts';

export interface KillOptions extends StageOptions {
  kills: number;
  onKill?: (done: number) => void;
}

export interface KillReport {
  broken: string[];
  counts: Record<
    'kills' | 'changes of the status' | 'pauses' | 'resumes' | 'external changes' | 'calls' | 'mails',
    number
  >;
}

/** Leases of killed processes, unconfirmed writes and backoff are over long before. */
const PATIENCE_MS = 600_000;
/** Longer than the lease on an email whose sender was killed. */
const MAIL_LEASE_MS = 15 * 60_000;

/** From an empty database to the verdict: load and kills, rest, one outage without trouble, emails, judgement. */
export async function killRun(options: KillOptions): Promise<KillReport> {
  const stage = await setStage(options);
  try {
    let isOver = false;
    const world = goOn(stage, () => isOver);
    try {
      await killProcesses(stage, options.kills, options.onKill ?? (() => undefined));
    } finally {
      isOver = true;
      await world;
    }
    await stage.simulators.graph.ask('DELETE', '/faults');
    await changeStatus(stage, 'UP');
    await waitForNoHolds(stage);
    const broken = await judgeQuietOutage(stage);
    await waitForMails(stage);
    return await judge(stage, broken);
  } catch (error) {
    const log = await stage.readLog().catch(() => '');
    process.stderr.write(`${log.split('\n').slice(-25).join('\n')}\n`);
    throw error;
  } finally {
    await stage.close();
  }
}

async function waitForNoHolds({ look }: Stage): Promise<void> {
  const sql = `select campaign_id || ' ' || state as hold from hold where state <> 'ended'`;
  await waitFor('every hold to end', async () => (await look(sql)).length === 0, PATIENCE_MS);
}

/** What is on and running is paused and comes back; nothing else changes. */
async function judgeQuietOutage(stage: Stage): Promise<string[]> {
  const { graph } = stage.simulators;
  const rows = await stage.look<{ id: string }>(
    `select campaign_id as id from smart_pause where setting = 'ON'`,
  );
  const isOn = new Set(rows.map(({ id }) => id));
  const before = [...(await graph.campaigns()).values()];
  const expected = before.filter(({ id, status }) => isOn.has(id) && status === 'ACTIVE');
  for (const [level, status] of [
    ['HIGH_DISRUPTION', 'PAUSED'],
    ['UP', 'ACTIVE'],
  ] as const) {
    await changeStatus(stage, level);
    await waitFor(
      `${expected.length} campaigns to be ${status} in an outage without trouble`,
      async () => {
        const now = await graph.campaigns();
        return expected.every(({ id }) => now.get(id)?.status === status);
      },
      PATIENCE_MS,
    );
  }
  await waitForNoHolds(stage);
  const after = await graph.campaigns();
  return before
    .filter(({ id, status }) => after.get(id)?.status !== status)
    .map(({ name }) => `${name} changed in an outage without trouble`);
}

/** The lease on an email whose sender was killed lasts minutes: the processes start with their clocks ahead. */
async function waitForMails({ processes, look }: Stage): Promise<void> {
  await processes.stopAll();
  processes.clockOffsetMs = MAIL_LEASE_MS;
  await processes.startAll();
  const isSent = async (): Promise<boolean> =>
    (await look('select 1 from mail where sent_at is null')).length === 0;
  await waitFor('every email to be sent', isSent, PATIENCE_MS);
}

async function judge(stage: Stage, broken: readonly string[]): Promise<KillReport> {
  const { simulators, cast, look, story, processes } = stage;
  const { holds, people } = await takeSnapshot(look);
  const activities = await readActivityLog(look);
  const writes = await simulators.graph.writes();
  const now = await simulators.graph.campaigns();
  const mails = await simulators.mailbox.messages();
  const log = await stage.readLog();
  const changes = writes.filter((write) => isOurs(write) && isChange(write));
  const countOf = (status: string): number => changes.filter((write) => write.status === status).length;
  const finalStatus = new Map([...now.values()].map(({ id, status }) => [id, status]));
  const users = new Set(people.map(({ id }) => id));
  return {
    broken: [
      ...broken,
      ...judgeWriteLog({ ...story, campaigns: cast.campaigns, writes, finalStatus, holds, activities }),
      // The write log is compared with the activity log by campaign.
      ...judgeActivityLog({ activities, holds, changes: new Map(), users }),
      ...judgeMailbox({
        activities,
        holds,
        people,
        outbox: await readOutbox(look),
        received: mails.map(({ messageId, to, text }) => ({
          messageId: messageId ?? '',
          to: to[0] ?? '',
          text: text ?? '',
        })),
        nameOf: (campaign) => cast.campaigns.find(({ id }) => id === campaign)?.name ?? '?',
        accountNameOf: nameOfAccount,
      }),
      ...secretsIn(log, stage.secrets).map((secret) => `${secret} stands in the log`),
      ...processes.unexpectedEnds.map((end) => `a process ended by itself (${end})`),
    ],
    counts: {
      kills: processes.kills,
      'changes of the status': story.statusChanges.length,
      pauses: countOf('PAUSED'),
      resumes: countOf('ACTIVE'),
      'external changes': story.externalChanges.length,
      calls: story.calls.length,
      mails: mails.length,
    },
  };
}
