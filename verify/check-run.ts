import type { Simulators } from '../scripts/outside/simulators.ts';
import { type Advertiser, newAdvertiser } from '../test/support/product.ts';
import { checkRecords } from './invariants/records.ts';
import type { Query } from './invariants/snapshot.ts';
import { type Campaign, type Kind, type WriteLogGiven, checkWriteLog } from './invariants/write-log.ts';

const KINDS: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off'];

/** A user signs up and sets up, with one campaign of each kind. */
export async function enter(
  given: Pick<Parameters<typeof newAdvertiser>[0], 'product' | 'simulators' | 'resume' | 'threshold'>,
): Promise<Advertiser & { campaigns: Campaign[] }> {
  const who = await newAdvertiser({
    ...{ ...given, renews: true },
    ...{
      campaigns: KINDS.map((kind) => (kind === 'resting' ? 'PAUSED' : 'ACTIVE')),
      on: KINDS.indexOf('off'),
    },
  });
  const campaigns = KINDS.map((kind, index): Campaign => {
    return { id: who.campaignIds[index] ?? '', name: `Campaign ${index}`, kind };
  });
  return { ...who, campaigns };
}

interface Given extends Pick<WriteLogGiven, 'campaigns'> {
  simulators: Pick<Simulators, 'graph' | 'mailbox'>;
  query: Query;
}

/** All violations of a run that is over: the write log of Meta, the activity log and the mailbox agree. */
export async function checkRun({ simulators, query, ...given }: Given): Promise<string[]> {
  const { graph, mailbox } = simulators;
  const received = await mailbox.messages();
  const { violations, ...records } = await checkRecords({ query, campaigns: given.campaigns, received });
  const now = [...(await graph.campaigns()).values()];
  const finalStatus = new Map(now.map(({ id, status }) => [id, status]));
  return [
    ...checkWriteLog({ ...given, ...records, writes: await graph.writes(), finalStatus }),
    ...violations,
  ];
}
