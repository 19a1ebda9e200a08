import type { PlatformWrite } from '../simulator-clients/control-client.ts';

/** What the simulators know about a replayed outage. Times in milliseconds of the demo's clock. */
export interface ReplayFacts {
  startsAt: number;
  endsAt: number;
  now: number;
  /** Meta's own log of status writes, by SmartPause and in Ads Manager. */
  writes: readonly PlatformWrite[];
  /** Of Meta's users, by id. */
  names: ReadonlyMap<string, string>;
}

export interface StoryLine {
  at: number;
  text: string;
}

type Write = Omit<PlatformWrite, 'at'> & { at: number };

/** Tells a replayed outage from facts alone: a line appears when it has happened on Meta. */
export function storyOf(facts: ReplayFacts): StoryLine[] {
  const { startsAt, endsAt, now, names } = facts;
  const lines: StoryLine[] = [];
  if (now >= startsAt) lines.push({ at: startsAt, text: 'Meta’s status page reports: High disruptions.' });
  if (now >= endsAt)
    lines.push({ at: endsAt, text: 'Meta’s status page reports that the disruption is over.' });
  const { pauses, resumes } = changesOf(facts);
  for (const [user, paused] of Map.groupBy(pauses.values(), ({ token_user }) => token_user)) {
    const resumed = paused.flatMap(({ campaign }) => resumes.get(campaign) ?? []);
    const name = names.get(user ?? '') ?? '';
    const at = lastOf(paused);
    const after = ((at - startsAt) / 1000).toFixed(1);
    const text = `${did('paused', paused)} of ${name}, the last one ${after} s after the report. Activity counts from when SmartPause read it.`;
    lines.push({ at, text });
    if (resumed.length > 0)
      lines.push({ at: lastOf(resumed), text: `${did('resumed', resumed)} of ${name}.` });
    const still = paused.length - resumed.length;
    if (now >= endsAt && still > 0)
      lines.push({
        at: Math.max(endsAt, lastOf(resumed)),
        text: `${count(still, 'campaign')} of ${name} still paused, until the time that Settings name.`,
      });
  }
  return lines.toSorted((a, b) => a.at - b.at);
}

/** Our pause of each campaign in the outage, and the resume that ends it: later ones belong to a later outage. */
function changesOf({ writes, startsAt, endsAt }: ReplayFacts) {
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
  return { pauses, resumes };
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
