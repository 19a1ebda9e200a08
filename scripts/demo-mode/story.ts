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

type Write = Omit<PlatformWrite, 'at'> & { at: number };

/** Tells a replayed outage from facts alone: a line appears when it has happened on Meta. */
export function storyOf({ startsAt, endsAt, now, writes }: ReplayFacts): StoryLine[] {
  const { paused, resumed } = changesOf(writes, startsAt, endsAt);
  const lines: StoryLine[] = [];
  if (now >= startsAt) lines.push({ at: startsAt, text: 'Meta’s status page reports: High disruptions.' });
  if (paused.length > 0) {
    const at = lastOf(paused);
    const after = ((at - startsAt) / 1000).toFixed(1);
    const text = `${did('paused', paused)}, the last one ${after} s after the report. Activity counts from when SmartPause read it.`;
    lines.push({ at, text });
  }
  if (now >= endsAt)
    lines.push({ at: endsAt, text: 'Meta’s status page reports that the disruption is over.' });
  if (resumed.length > 0) lines.push({ at: lastOf(resumed), text: `${did('resumed', resumed)}.` });
  const still = paused.length - resumed.length;
  if (now >= endsAt && still > 0) {
    const text = `${count(still, 'campaign')} still paused, until the time that Settings name.`;
    lines.push({ at: Math.max(endsAt, lastOf(resumed)), text });
  }
  return lines.toSorted((a, b) => a.at - b.at);
}

/** Our pause of each campaign in the outage, and the resume that ends it: later ones belong to a later outage. */
function changesOf(writes: ReplayFacts['writes'], startsAt: number, endsAt: number) {
  const pauses = new Map<string, Write>();
  const resumes = new Map<string, Write>();
  for (const write of writes.map((one) => ({ ...one, at: Date.parse(one.at) }))) {
    const { at, status, previous, campaign } = write;
    if (at < startsAt || status === previous || write.token_user === null) continue;
    // Later pauses are manual, or a live test.
    if (status === 'PAUSED' && at < endsAt) {
      pauses.set(campaign, write);
      resumes.delete(campaign);
    } else if (status === 'ACTIVE' && pauses.has(campaign) && !resumes.has(campaign)) {
      resumes.set(campaign, write);
    }
  }
  return { paused: [...pauses.values()], resumed: [...resumes.values()] };
}

function lastOf(writes: readonly Write[]): number {
  return Math.max(...writes.map(({ at }) => at));
}

/** @param writes one of each campaign */
function did(what: string, writes: readonly Write[]): string {
  const accounts = new Set(writes.map(({ account }) => account)).size;
  return `SmartPause ${what} ${count(writes.length, 'campaign')} in ${count(accounts, 'ad account')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
