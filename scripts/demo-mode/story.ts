import type { PlatformWrite } from '../outside/control-client.ts';

/** What the simulators know about a replayed outage. Times in milliseconds of the demo's clock. */
export interface ReplayFacts {
  startsAt: number;
  endsAt: number;
  /** The words of the simulated status page. */
  phrase: string;
  now: number;
  /** Meta's own log of status writes since the start, by SmartPause and in Ads Manager. */
  writes: readonly Pick<
    PlatformWrite,
    'at' | 'campaign' | 'account' | 'status' | 'previous' | 'token_user'
  >[];
  /** Campaign names by id. */
  names: ReadonlyMap<string, string>;
}

export interface StoryLine {
  at: number;
  text: string;
}

/** Tells a replayed outage from facts alone: a line appears when it has happened on Meta. */
export function storyOf(facts: ReplayFacts): StoryLine[] {
  const { startsAt, endsAt, phrase, now } = facts;
  const changes = facts.writes
    .filter(({ status, previous }) => status !== previous)
    .map((write) => ({ ...write, at: Date.parse(write.at) }))
    .filter(({ at }) => at >= startsAt);
  const ours = changes.filter(({ token_user: user }) => user !== null);
  // Later pauses are manual, or a live test.
  const paused = ours.filter(({ status, at }) => status === 'PAUSED' && at < endsAt);
  const campaignsPaused = new Set(paused.map(({ campaign }) => campaign));
  const resumed = ours.filter(({ status, campaign }) => status === 'ACTIVE' && campaignsPaused.has(campaign));
  const lines: StoryLine[] = [];
  if (now >= startsAt) lines.push({ at: startsAt, text: `Meta’s status page reports: ${phrase}.` });
  const last = paused.at(-1);
  if (last !== undefined)
    lines.push({ at: last.at, text: `${did('paused', paused)}, ${after(last.at - startsAt)}.` });
  for (const { at, campaign, status } of changes.filter(({ token_user: user }) => user === null)) {
    const act = status === 'PAUSED' ? 'paused' : 'resumed';
    lines.push({ at, text: `“${facts.names.get(campaign) ?? campaign}” was ${act} in Ads Manager.` });
  }
  if (now >= endsAt)
    lines.push({ at: endsAt, text: 'Meta’s status page reports that the disruption is over.' });
  const lastResume = resumed.at(-1);
  if (lastResume !== undefined) lines.push({ at: lastResume.at, text: `${did('resumed', resumed)}.` });
  const still = campaignsPaused.size - new Set(resumed.map(({ campaign }) => campaign)).size;
  if (now >= endsAt && still > 0)
    lines.push({ at: now, text: `${campaigns(still)} still paused, until the time that Settings name.` });
  return lines.toSorted((a, b) => a.at - b.at);
}

function did(what: string, writes: readonly { campaign: string; account: string }[]): string {
  const accounts = new Set(writes.map(({ account }) => account)).size;
  const count = new Set(writes.map(({ campaign }) => campaign)).size;
  return `SmartPause ${what} ${campaigns(count)} in ${accounts} ad account${accounts === 1 ? '' : 's'}`;
}

function campaigns(count: number): string {
  return `${count} campaign${count === 1 ? '' : 's'}`;
}

function after(ms: number): string {
  return `the last one ${(ms / 1000).toFixed(1)} s after the report`;
}
