import type { Simulators } from '../scripts/outside/simulators.ts';
import { receivedOf } from './invariants/mailbox.ts';
import { checkRecords } from './invariants/records.ts';
import type { Query } from './invariants/snapshot.ts';
import type { WriteLogGiven } from './invariants/write-log.ts';
import { checkWriteLog } from './invariants/write-log.ts';

interface Given extends Pick<WriteLogGiven, 'campaigns' | 'statusChanges'> {
  simulators: Pick<Simulators, 'graph' | 'mailbox'>;
  query: Query;
}

/** All violations of a run that is over: the write log of Meta, the activity log and the mailbox agree. */
export async function checkRun({ simulators, query, ...given }: Given): Promise<string[]> {
  const { graph, mailbox } = simulators;
  const { violations, activities, holds } = await checkRecords({
    ...{ query, campaigns: given.campaigns },
    received: receivedOf(await mailbox.messages()),
  });
  const now = [...(await graph.campaigns()).values()];
  return [
    ...checkWriteLog({
      ...{ ...given, holds, activities },
      writes: await graph.writes(),
      finalStatus: new Map(now.map(({ id, status }) => [id, status])),
    }),
    ...violations,
  ];
}
