import type { PlatformWrite } from '../outside/control-client.ts';

/** What the simulators know about a replayed outage. Times in milliseconds of the demo's clock. */
export interface ReplayFacts {
  startsAt: number;
  endsAt: number;
  now: number;
  /** Meta's own log of status writes, by SmartPause and in Ads Manager. */
  writes: readonly PlatformWrite[];
}

export interface StoryLine {
  at: number;
  text: string;
}

/** Tells a replayed outage from facts alone: a line appears when it has happened on Meta. */
export function storyOf({ startsAt, endsAt, now, writes }: ReplayFacts): StoryLine[] {
  const ours = writes
    .map((write) => ({ ...write, at: Date.parse(write.at) }))
    .filter((write) => write.at >= startsAt && write.status !== write.previous && write.token_user !== null);
  // Later pauses are manual, or a live test.
  const paused = ours.filter(({ status, at }) => status === 'PAUSED' && at < endsAt);
  const pausedIds = new Set(paused.map(({ campaign }) => campaign));
  const resumed = ours.filter(({ status, campaign }) => status === 'ACTIVE' && pausedIds.has(campaign));
  const [lastPause, lastResume] = [paused.at(-1), resumed.at(-1)];
  const lines: StoryLine[] = [];
  if (now >= startsAt) lines.push({ at: startsAt, text: 'Meta’s status page reports: High disruptions.' });
  if (lastPause !== undefined) {
    const { at } = lastPause;
    const after = ((at - startsAt) / 1000).toFixed(1);
    lines.push({ at, text: `${did('paused', paused)}, the last one ${after} s after the report.` });
  }
  if (now >= endsAt)
    lines.push({ at: endsAt, text: 'Meta’s status page reports that the disruption is over.' });
  if (lastResume !== undefined) lines.push({ at: lastResume.at, text: `${did('resumed', resumed)}.` });
  const still = pausedIds.size - new Set(resumed.map(({ campaign }) => campaign)).size;
  if (now >= endsAt && still > 0) {
    const text = `${count(still, 'campaign')} still paused, until the time that Settings name.`;
    lines.push({ at: lastResume?.at ?? endsAt, text });
  }
  return lines.toSorted((a, b) => a.at - b.at);
}

function did(what: string, writes: readonly { campaign: string; account: string }[]): string {
  const campaigns = new Set(writes.map(({ campaign }) => campaign)).size;
  const accounts = new Set(writes.map(({ account }) => account)).size;
  return `SmartPause ${what} ${count(campaigns, 'campaign')} in ${count(accounts, 'ad account')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
