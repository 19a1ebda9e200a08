import type { PlatformWrite } from '../outside/control-door.ts';
import type { CastCampaign } from './cast.ts';
import type { Evidence } from './evidence.ts';
import { judgeMails } from './judge-mails.ts';
import { judgeTimes } from './judge-times.ts';

export interface Verdict {
  broken: string[];
  counts: {
    pauses: number;
    resumes: number;
    /** Writes of what was so already: harmless, a doubt being settled. */
    repeated: number;
    hands: number;
    presses: number;
    mails: number;
    /** The same mail, with the same Message-ID, arrived once more. */
    mailsTwice: number;
  };
}

/** Holds what was seen from the outside against the rules. */
export function judge(evidence: Evidence): Verdict {
  const ours = evidence.writes.filter(isOurs);
  const ofSmartPause = ours.filter(({ campaign }) => kindOf(evidence, campaign) !== 'pressed');
  const changes = ofSmartPause.filter(isChange);
  const mails = judgeMails(evidence);
  return {
    broken: [
      ...judgeTouched(evidence, ours),
      ...judgeResumes(evidence),
      ...judgeHands(evidence),
      ...judgePresses(evidence),
      ...judgeTimes(evidence),
      ...judgeRest(evidence),
      ...judgeActivities(evidence),
      ...mails.broken,
      ...judgeSecrets(evidence),
      ...evidence.unexpectedEnds.map(
        ({ code, signal, lastLines }) =>
          `a process ended by itself (${code ?? signal ?? '?'}): ${lastLines.join(' | ').slice(-1500)}`,
      ),
    ],
    counts: {
      pauses: changes.filter(({ status }) => status === 'PAUSED').length,
      resumes: changes.filter(({ status }) => status === 'ACTIVE').length,
      repeated: ofSmartPause.length - changes.length,
      hands: evidence.story.hands.length,
      presses: evidence.story.presses.length,
      ...mails.counts,
    },
  };
}

export function isOurs(write: PlatformWrite): boolean {
  return write.token_user !== null;
}

export function isChange(write: PlatformWrite): boolean {
  return write.previous !== write.status;
}

export function kindOf(evidence: Evidence, id: string): CastCampaign['kind'] | undefined {
  return evidence.campaigns.find((one) => one.id === id)?.kind;
}

function nameOf(evidence: Evidence, id: string): string {
  return evidence.campaigns.find((one) => one.id === id)?.name ?? id;
}

/** Never a campaign whose SmartPause is not on, that was paused before, or that is not ours at all. */
function judgeTouched(evidence: Evidence, ours: readonly PlatformWrite[]): string[] {
  const forbidden = ['off', 'resting', 'foreign', undefined];
  return ours
    .filter(({ campaign }) => forbidden.includes(kindOf(evidence, campaign)))
    .map((write) => `touched ${nameOf(evidence, write.campaign)}: ${write.status} at ${write.at}`);
}

/** Never resumed what we had not paused: the last pause before each resume is ours. */
function judgeResumes(evidence: Evidence): string[] {
  const paused = new Map<string, PlatformWrite>();
  const broken: string[] = [];
  for (const write of evidence.writes) {
    if (write.status === 'PAUSED') paused.set(write.campaign, write);
    if (write.status !== 'ACTIVE' || !isOurs(write) || !isChange(write)) continue;
    const last = paused.get(write.campaign);
    if (last !== undefined && isOurs(last)) continue;
    const by = last === undefined ? 'before the run' : `by hand at ${last.at}`;
    broken.push(`resumed ${nameOf(evidence, write.campaign)} at ${write.at}, which was paused ${by}`);
  }
  return broken;
}

/** A hand outside wins: after it nothing of ours changes the campaign, until it is given back to us. */
function judgeHands(evidence: Evidence): string[] {
  return evidence.story.hands.flatMap((hand) => {
    const after = evidence.writes.filter(
      (write) =>
        write.campaign === hand.campaign &&
        isOurs(write) &&
        isChange(write) &&
        Date.parse(write.at) > hand.at &&
        Date.parse(write.at) < (hand.until ?? Infinity),
    );
    return after.map(
      (write) =>
        `${nameOf(evidence, hand.campaign)} became ${hand.status} by hand at ${iso(hand.at)}, and ${write.status} by us at ${write.at}`,
    );
  });
}

/** What was turned off stays untouched, and every press that was answered was done once and is in the journal once. */
function judgePresses(evidence: Evidence): string[] {
  const broken: string[] = [];
  const graceMs = 2_000;
  const of = Map.groupBy(evidence.story.presses, ({ campaign }) => campaign);
  for (const [campaign, presses] of of) {
    const writes = evidence.writes.filter((write) => write.campaign === campaign && isOurs(write));
    presses.forEach((press, index) => {
      if (press.what !== 'off' || press.status !== 200) return;
      const until = presses[index + 1]?.askedAt ?? Infinity;
      const late = writes.filter(
        ({ at }) => Date.parse(at) > press.answeredAt + graceMs && Date.parse(at) < until,
      );
      for (const { at, status } of late)
        broken.push(`${status} ${nameOf(evidence, campaign)} at ${at}, which was off`);
    });
    const told = presses.filter(
      ({ what, status }) => (what === 'pause' || what === 'resume') && status === 200,
    );
    const asked = presses.filter(({ what }) => what === 'pause' || what === 'resume');
    const acts = evidence.exports
      .flatMap(({ activities }) => activities)
      .filter((one) => one.campaignId === campaign && one.event.startsWith('manual_'));
    if (acts.length < told.length || acts.length > asked.length)
      broken.push(
        `${nameOf(evidence, campaign)}: ${acts.length} manual acts in the journal for ${told.length} answered of ${asked.length}`,
      );
  }
  return broken;
}

/** Nothing stranded: what only we touched is as it was before, and nobody holds anything. */
function judgeRest(evidence: Evidence): string[] {
  const wanted = { watched: 'ACTIVE', resting: 'PAUSED', off: 'ACTIVE', foreign: 'ACTIVE' } as const;
  const broken = evidence.campaigns.flatMap(({ id, kind, name }) => {
    if (!(kind in wanted)) return [];
    const is = evidence.finalStatus.get(id);
    return is === wanted[kind as keyof typeof wanted] ? [] : [`${name} is left ${is ?? 'nowhere'}`];
  });
  const held = evidence.exports.flatMap(({ holds }) => holds.filter(({ endedAt }) => endedAt === null));
  return [...broken, ...held.map(({ campaignId }) => `${nameOf(evidence, campaignId)} is still held`)];
}

/** Every act has one activity, and no campaign is held twice at a time. */
function judgeActivities(evidence: Evidence): string[] {
  const activities = evidence.exports.flatMap((one) => one.activities);
  const holds = evidence.exports.flatMap((one) => one.holds);
  const broken: string[] = [];
  for (const { id, kind, name } of evidence.campaigns) {
    if (kind === 'pressed') continue;
    const changes = evidence.writes.filter(
      (write) => write.campaign === id && isOurs(write) && isChange(write),
    );
    for (const [status, event] of [
      ['PAUSED', 'paused'],
      ['ACTIVE', 'resumed'],
    ] as const) {
      const done = changes.filter((write) => write.status === status).length;
      const told = activities.filter((one) => one.campaignId === id && one.event === event).length;
      if (done !== told) broken.push(`${name}: ${done} times ${status}, ${told} activities '${event}'`);
    }
    if (evidence.story.clockJumped) continue;
    const own = holds
      .filter(({ campaignId }) => campaignId === id)
      .toSorted((a, b) => Date.parse(a.beganAt) - Date.parse(b.beganAt));
    own.slice(1).forEach((hold, index) => {
      const before = own[index]?.endedAt ?? null;
      if (before === null || Date.parse(before) > Date.parse(hold.beganAt))
        broken.push(`${name} was held twice at ${hold.beganAt}`);
    });
  }
  return broken;
}

function judgeSecrets({ log, secrets }: Evidence): string[] {
  const found = secrets.filter((secret) => secret !== '' && log.includes(secret));
  const tokens = log.match(/EAAB[A-Za-z0-9_-]{20,}/g) ?? [];
  return [...found, ...tokens].map((secret) => `a secret is in the log: ${secret.slice(0, 6)}…`);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
