import type { Environment } from '../fixtures/environment.ts';
import { runQuery } from '../fixtures/environment.ts';
import { receivedOf } from '../invariants/mailbox.ts';
import { checkRecords } from '../invariants/records.ts';
import type { Write } from '../invariants/write-log.ts';
import { checkWriteLog, isChange, isOurs } from '../invariants/write-log.ts';
import type { Advertiser } from './fixture.ts';
import { INCIDENT } from './fixture.ts';
import type { Replay } from './replay-clock.ts';
import { replayedAt } from './replay-clock.ts';

/** Prints what happened to each advertiser, and every violated invariant. @returns the number of violations */
export async function report(
  { simulators, databaseUrl }: Environment,
  advertisers: readonly Advertiser[],
  replay: Replay,
): Promise<number> {
  const writes = (await simulators.graph.writes()).map((write) => ({
    ...write,
    at: new Date(replayedAt(replay, Date.parse(write.at))).toISOString(),
  }));
  const campaigns = advertisers.flatMap((one) => one.campaigns);
  const accounts = advertisers.flatMap((one) => one.accounts);
  const { violations, activities, holds } = await checkRecords({
    query: (sql) => runQuery(databaseUrl, sql),
    // The write log is compared with the activity log by campaign.
    changes: new Map(),
    received: receivedOf(await simulators.mailbox.messages()),
    campaigns,
    accountNameOf: (account) => accounts.find(({ id }) => id === account)?.name ?? '?',
  });
  const now = await simulators.graph.campaigns();
  const broken = [
    ...checkWriteLog({
      campaigns,
      writes,
      finalStatus: new Map([...now.values()].map(({ id, status }) => [id, status])),
      holds,
      activities,
      statusChanges: [
        { level: 'HIGH_DISRUPTION', at: INCIDENT.high, knownAt: INCIDENT.high },
        { level: 'UP', at: INCIDENT.up, knownAt: INCIDENT.up },
      ],
      externalChanges: [],
      calls: [],
    }),
    ...violations,
  ];
  console.table(Object.fromEntries(advertisers.map((one) => [one.name, rowOf(one, writes, replay)])));
  for (const violation of broken) process.stdout.write(`BROKEN  ${violation}\n`);
  process.stdout.write(broken.length === 0 ? 'Nothing lost, nothing doubled, nothing else touched.\n' : '\n');
  return broken.length;
}

function rowOf(
  advertiser: Advertiser,
  writes: readonly Write[],
  { speed }: Replay,
): Record<string, string | number> {
  const { threshold, resumeSettings, campaigns } = advertiser;
  const { mode, delay } = resumeSettings;
  const timesOf = (status: string): number[] =>
    writes
      .filter((write) => isOurs(write) && isChange(write) && write.status === status)
      .filter(({ campaign }) => campaigns.some(({ id }) => id === campaign))
      .map(({ at }) => Date.parse(at));
  const paused = timesOf('PAUSED');
  const resumed = timesOf('ACTIVE');
  return {
    settings: `${threshold}, ${delay === undefined ? mode : `${delay.value} ${delay.unit}`}`,
    paused: paused.length,
    resumed: resumed.length,
    'left alone': campaigns.filter(({ kind }) => kind !== 'watched').length,
    'last pause after': `${((Math.max(...paused) - INCIDENT.high) / speed / 1000).toFixed(1)} s`,
    'first resume at': `${new Date(Math.min(...resumed)).toISOString().slice(11, 19)}Z`,
  };
}
