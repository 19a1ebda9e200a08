import { clockTime, fullTime, newYorkTime } from '#core/new-york.ts';
import type { ResumeSettings } from '#core/settings.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';
import type { EndReason } from '#core/smartpause/release-labels.ts';
import { RELEASE_LABELS, withRefusal } from '#core/smartpause/release-labels.ts';
import type { Instant } from '#core/time.ts';
import { DISRUPTION_WORDS, counted, durationLabel, figure, resumeCopy } from '#core/labels.ts';
import type { Block, Notification } from './blocks.ts';

/** A campaign in a notification; `at` is the time of the reported activity. */
export interface NotifiedCampaign {
  name: string;
  account: string;
  at: Instant;
  /** A later change that is true when the notification is rendered. */
  then?: string | null;
}

export interface LeftAlone extends NotifiedCampaign {
  reason: EndReason | null;
  /** Meta's own words when it refused the write for good; null: it did not. */
  refusal: string | null;
}

export interface PausedFacts {
  publicUrl: string;
  campaigns: readonly NotifiedCampaign[];
  /** Campaigns whose pause Meta refused for good. */
  refused: readonly LeftAlone[];
  /** Campaigns that SmartPause will resume. */
  held: number;
  /** Held campaigns that SmartPause cannot access on Meta. */
  unreachable: number;
  /** The level that the platform reported at the pause, and since when. */
  level: KnownLevel;
  levelSince: Instant | null;
  threshold: Threshold;
  resume: ResumeSettings;
  /** Pauses that Meta has not confirmed yet. */
  unfinished: number;
  /** The level is from an admin's override, not from Meta's status page. */
  isOverridden: boolean;
  /** The user is deauthorizing or deleting the account, so everything is resumed at once. */
  isLeaving: boolean;
  /** When the resume is due; null: the threshold is met. */
  dueAt: Instant | null;
  now: Instant;
}

export function pausedNotification(facts: PausedFacts): Notification {
  const count = counted(facts.campaigns.length, 'campaign');
  const report = DISRUPTION_WORDS[facts.level];
  const since = facts.levelSince === null ? '' : ` since ${fullTime(facts.levelSince)}`;
  const source = facts.isOverridden ? 'our team reports' : 'Meta reports';
  const isPaused = facts.campaigns.length > 0;
  const title = isPaused
    ? `SmartPause paused ${count}`
    : `SmartPause could not pause ${counted(facts.refused.length, 'campaign')}`;
  return {
    subject: `${title}: ${source} ${report}`,
    preview: isPaused
      ? `${spanCopy(facts.campaigns)}. ${resumingPreview(facts)}`
      : 'Meta refused the change.',
    title,
    blocks: [
      {
        kind: 'status',
        level: facts.level,
        text: `${source} ${report} in ${facts.isOverridden ? "Meta's" : 'its'} ad services${since}. Your threshold is ${facts.threshold.toLowerCase()}.`,
      },
      ...byAccount('Paused', facts.campaigns),
      ...(facts.refused.length === 0 ? [] : [releasedList('Not paused', facts.refused)]),
      ...unfinishedCopy(facts.unfinished, 'paused'),
      ...(isPaused ? [nextCopy(facts)] : []),
      activity(facts.publicUrl),
    ],
  };
}

function resumingPreview({ held, unreachable, campaigns }: PausedFacts): string {
  if (held === 0 && unreachable > 0) return 'Open SmartPause to see what happens next.';
  if (held === 0) return 'None of them is still paused by SmartPause.';
  return held === campaigns.length
    ? 'They resume automatically.'
    : `${figure(held)} of them ${held === 1 ? 'resumes' : 'resume'} automatically.`;
}

function nextCopy(facts: PausedFacts): string {
  const { held, unreachable } = facts;
  if (held + unreachable === 0) return 'None of these campaigns is still paused by SmartPause.';
  return [...(held > 0 ? [promise(facts)] : []), ...(unreachable > 0 ? [refusedCopy(unreachable)] : [])].join(
    ' ',
  );
}

export function refusedCopy(count: number): string {
  return `Meta denies SmartPause access to ${counted(count, 'paused campaign')}. Log in to SmartPause again, or resume ${count === 1 ? 'it' : 'them'} in Ads Manager.`;
}

/** Promises a resume only for campaigns that are held and accessible at rendering time. */
function promise(facts: PausedFacts): string {
  const { held, unreachable, campaigns, dueAt, now } = facts;
  const some =
    unreachable > 0 ? `${figure(held)} of these campaigns` : `the ${counted(held, 'campaign')} still paused`;
  const them = held === campaigns.length ? 'exactly these campaigns' : some;
  const over = 'The disruption has since dropped below your threshold. SmartPause resumes';
  const when =
    dueAt === null
      ? `When the disruption drops below your threshold, SmartPause resumes ${them} ${resumeCopy(facts.resume)}`
      : facts.isLeaving
        ? `You asked us to revoke our access to your ad accounts. SmartPause resumes ${them} now`
        : `${over} ${them} ${dueAt > now ? `on ${fullTime(dueAt)}` : 'now'}`;
  return `${when}, and we'll email you again. No action needed. To manage a campaign yourself, turn SmartPause off for it. It then stays paused until you resume it.`;
}

/** How a hold ended; null: it has not, but the campaign was found running, or its pause is no longer wanted. */
export function endCopy(end: { reason: EndReason | null; at: Instant } | null): string {
  if (end === null) return 'no longer paused by SmartPause';
  return end.reason === null ? `resumed ${fullTime(end.at)}` : RELEASE_LABELS[end.reason];
}

export interface ResumedFacts {
  publicUrl: string;
  resumed: readonly NotifiedCampaign[];
  leftAlone: readonly LeftAlone[];
  /** When the threshold was met, and the worst level. Null: unknown. */
  outage: { from: Instant; to: Instant | null; peak: KnownLevel; level: KnownLevel } | null;
  threshold: Threshold;
  /** Campaigns whose resume is still pending. */
  unfinished: number;
  /** The user is deauthorizing or deleting the account, so everything was resumed at once. */
  isLeaving: boolean;
}

export function resumedNotification(facts: ResumedFacts): Notification {
  const { resumed, leftAlone } = facts;
  const count = counted(resumed.length, 'campaign');
  const alone = counted(leftAlone.length, 'campaign');
  const title = resumed.length > 0 ? `SmartPause resumed ${count}` : `SmartPause did not resume ${alone}`;
  return {
    subject:
      leftAlone.length > 0 && resumed.length > 0
        ? `${title}, ${figure(leftAlone.length)} not resumed`
        : title,
    preview: resumed.length > 0 ? `${spanCopy(resumed)}.` : "We didn't change anything.",
    title,
    blocks: [
      ...outageCopy(facts),
      ...byAccount('Resumed', resumed),
      ...(leftAlone.length === 0 ? [] : [releasedList('Not resumed', leftAlone)]),
      ...unfinishedCopy(facts.unfinished, 'resumed'),
      activity(facts.publicUrl),
    ],
  };
}

function outageCopy({ outage, threshold, isLeaving }: ResumedFacts): Block[] {
  const leaving: Block =
    'You asked us to revoke our access to your ad accounts, so campaigns paused by SmartPause were resumed first.';
  if (outage === null) return isLeaving ? [leaving] : [];
  const { from, to, peak, level } = outage;
  const rows: [string, string][] = [
    ['Outage', spanLabel(from, to)],
    ...(to === null ? [] : [['Duration', durationLabel(to - from)] as [string, string]]),
    ['Peak', DISRUPTION_WORDS[peak]],
    ['Your threshold', threshold.toLowerCase()],
  ];
  const text = level === 'UP' ? 'the disruption is over.' : 'below your threshold now.';
  const status: Block[] = to === null ? [] : [{ kind: 'status', level, text }];
  return [...(isLeaving ? [leaving] : []), ...status, { kind: 'facts', rows }];
}

/** 'Jan 8, 2026, 9:10 PM EST to 11:08 PM EST'; names the second date only if it is another one. */
function spanLabel(from: Instant, to: Instant | null): string {
  if (to === null) return `${fullTime(from)}, still ongoing`;
  const [start, end] = [newYorkTime(from), newYorkTime(to)];
  const isSameDay = start.day === end.day && start.month === end.month && start.year === end.year;
  return `${fullTime(from)} to ${isSameDay ? clockTime(to) : fullTime(to)}`;
}

function releasedList(verb: string, leftAlone: readonly LeftAlone[]): Block {
  const items = leftAlone.map(({ name, account, reason, at, refusal, then = null }) => {
    const why = reason === null ? 'not changed' : withRefusal(RELEASE_LABELS[reason], reason, refusal);
    return { text: name, detail: `${account}, ${fullTime(at)}: ${why}${thenCopy(then)}` };
  });
  return { kind: 'list', title: `${verb} (${counted(items.length, 'campaign')})`, items };
}

/** @param facts.off number of campaigns for which SmartPause is still off */
export function disabledNotification(facts: {
  publicUrl: string;
  campaigns: readonly LeftAlone[];
  off: number;
}): Notification {
  const count = counted(facts.campaigns.length, 'campaign');
  const them = facts.campaigns.length === 1 ? 'it' : 'them';
  const off =
    facts.off === facts.campaigns.length
      ? them
      : facts.off > 0
        ? `the ${counted(facts.off, 'campaign')} that ${facts.off === 1 ? 'is' : 'are'} still off`
        : null;
  const leaves = off === null ? '' : ` SmartPause won't pause ${off} in the next disruption.`;
  const again: Block[] = off === null ? [] : [`To protect ${off}, turn SmartPause back on.`];
  const noticed =
    facts.campaigns.length === 1
      ? 'The time below is when SmartPause noticed the change.'
      : 'The times below are when SmartPause noticed the changes.';
  const title = `SmartPause ${off === null ? 'was' : 'is'} disabled for ${count}`;
  return {
    subject: `${title}: changed outside SmartPause`,
    preview:
      off !== null
        ? 'Your change wins. SmartPause stays off there until you turn it on again.'
        : 'Your change won. SmartPause has been turned on again since.',
    title,
    blocks: [
      `SmartPause had paused ${them}, and ${them === 'it' ? 'it was' : 'they were'} then changed outside SmartPause, for example in Ads Manager. Your change wins.${leaves} ${noticed}`,
      releasedList('Disabled', facts.campaigns),
      ...again,
      dashboard(facts.publicUrl),
    ],
  };
}

/** One list per ad account, in the order of their first campaign. */
export function byAccount(verb: string, campaigns: readonly NotifiedCampaign[]): Block[] {
  return [...Map.groupBy(campaigns, ({ account }) => account)].map(([account, own]) => ({
    kind: 'list',
    title: `${verb} in ${account} (${counted(own.length, 'campaign')})`,
    items: own.map(({ name, at, then = null }) => ({
      text: name,
      detail: `${fullTime(at)}${thenCopy(then)}`,
    })),
  }));
}

function thenCopy(then: string | null): string {
  return then === null ? '' : `; ${then}`;
}

function unfinishedCopy(count: number, done: string): Block[] {
  if (count === 0) return [];
  return [
    `${counted(count, 'more campaign')} ${count === 1 ? 'is' : 'are'} not ${done} yet because Meta hasn't confirmed it. SmartPause keeps trying, and we'll email you when it's done.`,
  ];
}

/** 'At 9:10 PM EST', or 'Between 9:10 PM EST and 9:12 PM EST': the time of the activity, not of reading. */
function spanCopy(campaigns: readonly NotifiedCampaign[]): string {
  const times = campaigns.map(({ at }) => at);
  const first = clockTime(Math.min(...times));
  const last = clockTime(Math.max(...times));
  return first === last ? `At ${first}` : `Between ${first} and ${last}`;
}

export function dashboard(publicUrl: string): Block {
  return { kind: 'button', label: 'Open SmartPause', address: publicUrl };
}

/** For emails about pauses and resumes: the page that says what happened and why. */
function activity(publicUrl: string): Block {
  return { kind: 'button', label: 'See what happened', address: `${publicUrl}/activity` };
}
