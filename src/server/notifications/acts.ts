import { clockTime, fullTime } from '#core/new-york.ts';
import type { ResumeSettings } from '#core/settings.ts';
import type { HoldState, LetGoReason } from '#core/smartpause/hold.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import {
  DISRUPTION_WORDS,
  LET_GO_WORDS,
  counted,
  durationWords,
  figure,
  resumeWords,
  unsettledWords,
} from '#core/words.ts';
import type { Block, Mail } from './blocks.ts';

/** A campaign as mails name it, and when what is told of it happened. */
export interface ToldCampaign {
  name: string;
  account: string;
  at: Instant;
  /** What came after it and is true when the email is rendered. */
  then?: string | null;
}

export interface LeftAlone extends ToldCampaign {
  reason: LetGoReason | null;
  /** In which state it was let go, if nobody knows whether the write of then was carried out. */
  unsettled: HoldState | null;
}

export interface PausedFacts {
  publicUrl: string;
  campaigns: readonly ToldCampaign[];
  /** How many of them SmartPause will resume. */
  held: number;
  /** How many of them are held, while Meta refuses SmartPause the access. */
  unreachable: number;
  /** How many of them were found running once, and are held until that is checked. */
  checked: number;
  /** What the platform reported when they were paused, and since when. */
  level: KnownLevel;
  levelSince: Instant | null;
  threshold: Threshold;
  resume: ResumeSettings;
  /** Pauses that Meta has not confirmed yet. */
  unfinished: number;
  /** It was an administrator who said how Meta is, not Meta's own page. */
  isOverridden: boolean;
  /** They asked us to give up access, so everything is resumed at once. */
  isLeaving: boolean;
  /** When the campaigns are due to be resumed; null: the threshold is met. */
  dueAt: Instant | null;
  now: Instant;
}

export function pausedMail(facts: PausedFacts): Mail {
  const count = counted(facts.campaigns.length, 'campaign');
  const report = DISRUPTION_WORDS[facts.level];
  const since = facts.levelSince === null ? '' : ` since ${fullTime(facts.levelSince)}`;
  const source = facts.isOverridden ? "SmartPause's operators report" : 'Meta reports';
  return {
    subject: `SmartPause paused ${count}: ${source} ${report}`,
    preview: `${spanWords(facts.campaigns)}. ${resumingPreview(facts)}`,
    title: `SmartPause paused ${count}`,
    blocks: [
      {
        kind: 'status',
        level: facts.level,
        text: `${source} ${report} of ${facts.isOverridden ? "Meta's" : 'its'} ad services${since}. Your threshold is ${facts.threshold.toLowerCase()}.`,
      },
      ...byAccount('Paused', facts.campaigns),
      ...unfinishedWords(facts.unfinished, 'paused'),
      { kind: 'text', text: nextWords(facts) },
      dashboard(facts.publicUrl),
    ],
  };
}

function resumingPreview({ held, unreachable, checked, campaigns }: PausedFacts): string {
  if (held === 0 && unreachable + checked > 0) return 'Open SmartPause to see what happens next.';
  if (held === 0) return 'SmartPause keeps none of them paused any more.';
  return held === campaigns.length
    ? 'They resume automatically.'
    : `${figure(held)} of them ${held === 1 ? 'resumes' : 'resume'} automatically.`;
}

function nextWords(facts: PausedFacts): string {
  const { held, unreachable, checked } = facts;
  if (held + unreachable + checked === 0)
    return 'SmartPause keeps none of these campaigns paused any more: nothing is left to resume.';
  const running = `SmartPause found ${counted(checked, 'campaign')} running and is checking ${checked === 1 ? 'it' : 'them'}.`;
  return [
    ...(held > 0 ? [promise(facts)] : []),
    ...(unreachable > 0 ? [refusedWords(unreachable)] : []),
    ...(checked > 0 ? [running] : []),
  ].join(' ');
}

export function refusedWords(count: number): string {
  return `Meta refuses SmartPause the access to ${counted(count, 'paused campaign')}: log in to SmartPause again, or resume ${count === 1 ? 'it' : 'them'} in Ads Manager.`;
}

/** It names only campaigns that are held and within reach when the email is rendered. */
function promise(facts: PausedFacts): string {
  const { held, unreachable, campaigns, dueAt, now } = facts;
  const some =
    unreachable > 0 ? `${figure(held)} of these campaigns` : `the ${counted(held, 'campaign')} still paused`;
  const them = held === campaigns.length ? 'exactly these campaigns' : some;
  const over = 'The disruption has since dropped below your threshold. What happens next: SmartPause resumes';
  const when =
    dueAt === null
      ? `What happens next: when the disruption falls below your threshold, SmartPause resumes ${them} ${resumeWords(facts.resume)}`
      : facts.isLeaving
        ? `You asked us to give up our access to your ad accounts. What happens next: SmartPause resumes ${them} now`
        : `${over} ${them} ${dueAt > now ? `on ${fullTime(dueAt)}` : 'now'}`;
  return `${when}, and we'll email you again. No action needed. To take a campaign back yourself, turn SmartPause off for it; it then stays paused until you resume it.`;
}

/** How a hold has ended; null: SmartPause does not resume the campaign for another reason. */
export function endWords(end: { reason: LetGoReason | null; at: Instant } | null): string {
  if (end === null) return 'SmartPause does not resume it any more';
  return end.reason === null ? `resumed ${fullTime(end.at)}` : LET_GO_WORDS[end.reason];
}

export interface ResumedFacts {
  publicUrl: string;
  resumed: readonly ToldCampaign[];
  leftAlone: readonly LeftAlone[];
  /** What was going on: when the threshold was met, and how bad it became. Null: not known any more. */
  outage: { from: Instant; to: Instant | null; peak: KnownLevel; level: KnownLevel } | null;
  threshold: Threshold;
  /** Campaigns that are still to be resumed now. */
  unfinished: number;
  /** They asked us to give up access, so everything was given back at once. */
  isLeaving: boolean;
}

export function resumedMail(facts: ResumedFacts): Mail {
  const { resumed, leftAlone } = facts;
  const count = counted(resumed.length, 'campaign');
  const alone = counted(leftAlone.length, 'campaign');
  const title = resumed.length > 0 ? `SmartPause resumed ${count}` : `SmartPause left ${alone} alone`;
  return {
    subject: leftAlone.length > 0 && resumed.length > 0 ? `${title}, left ${leftAlone.length} alone` : title,
    preview: resumed.length > 0 ? `${spanWords(resumed)}.` : 'Nothing of yours was changed there by us.',
    title,
    blocks: [
      ...outageWords(facts),
      ...byAccount('Resumed', resumed),
      ...(leftAlone.length === 0 ? [] : [leftAloneList(leftAlone)]),
      ...unfinishedWords(facts.unfinished, 'resumed'),
      dashboard(facts.publicUrl),
    ],
  };
}

function outageWords({ outage, threshold, isLeaving }: ResumedFacts): Block[] {
  const leaving: Block = {
    kind: 'text',
    text: 'You asked us to give up our access to your ad accounts, so everything that SmartPause held was given back first.',
  };
  if (outage === null) return isLeaving ? [leaving] : [];
  const { from, to, peak, level } = outage;
  const rows: [string, string][] = [
    ['Met your threshold', `${fullTime(from)} to ${to === null ? 'now: it still does' : fullTime(to)}`],
    ...(to === null ? [] : [['Lasted', durationWords(to - from)] as [string, string]]),
    ['At its worst', DISRUPTION_WORDS[peak]],
    ['Your threshold', threshold.toLowerCase()],
  ];
  const text = level === 'UP' ? 'the disruption is over.' : 'the disruption is below your threshold now.';
  const status: Block[] = to === null ? [] : [{ kind: 'status', level, text }];
  return [...(isLeaving ? [leaving] : []), ...status, { kind: 'facts', rows }];
}

function leftAloneList(leftAlone: readonly LeftAlone[]): Block {
  const items = leftAlone.map(({ name, account, reason, at, unsettled, then = null }) => {
    const why = reason === null ? 'left as it is' : LET_GO_WORDS[reason];
    const doubt = unsettled === null ? '' : `; ${unsettledWords(unsettled)}`;
    return { text: name, detail: `${account}, ${fullTime(at)}: ${why}${doubt}${thenWords(then)}` };
  });
  return { kind: 'list', title: `Left alone (${counted(items.length, 'campaign')})`, items };
}

/** @param facts.off for how many of them SmartPause is still off */
export function disabledMail(facts: {
  publicUrl: string;
  campaigns: readonly LeftAlone[];
  off: number;
}): Mail {
  const count = counted(facts.campaigns.length, 'campaign');
  const them = facts.campaigns.length === 1 ? 'it' : 'them';
  const off =
    facts.off === facts.campaigns.length
      ? them
      : facts.off > 0
        ? `the ${counted(facts.off, 'campaign')} still off`
        : null;
  const leaves =
    off === null ? '' : ` SmartPause leaves ${off} alone from now on, also in the next disruption.`;
  const again: Block[] =
    off === null
      ? []
      : [{ kind: 'text', text: `To let SmartPause look after ${off} again, turn it on once more.` }];
  const title = `SmartPause ${off === null ? 'was' : 'is'} disabled for ${count}`;
  return {
    subject: `${title}: changed outside`,
    preview:
      off !== null
        ? 'Your own change counts: nothing happens there until you turn SmartPause on again.'
        : 'Your own change counted. SmartPause is on again since.',
    title,
    blocks: [
      {
        kind: 'text',
        text: `SmartPause had paused ${them} and then found ${them} changed outside, in Ads Manager for instance. Your own change counts.${leaves} The time is that at which it was noticed.`,
      },
      leftAloneList(facts.campaigns),
      ...again,
      dashboard(facts.publicUrl),
    ],
  };
}

/** One list for each ad account, in the order in which they were first met. */
export function byAccount(verb: string, campaigns: readonly ToldCampaign[]): Block[] {
  return [...Map.groupBy(campaigns, ({ account }) => account)].map(([account, own]) => ({
    kind: 'list',
    title: `${verb} in ${account} (${counted(own.length, 'campaign')})`,
    items: own.map(({ name, at, then = null }) => ({
      text: name,
      detail: `${fullTime(at)}${thenWords(then)}`,
    })),
  }));
}

function thenWords(then: string | null): string {
  return then === null ? '' : `; ${then}`;
}

function unfinishedWords(count: number, done: string): Block[] {
  if (count === 0) return [];
  const text = `${counted(count, 'more campaign')} ${count === 1 ? 'is' : 'are'} not ${done} yet: Meta has not confirmed it so far. SmartPause keeps trying and writes again when it is done.`;
  return [{ kind: 'text', text }];
}

/** 'At 9:10 PM EST', or 'Between 9:10 PM EST and 9:12 PM EST': when it was done, not when this is read. */
function spanWords(campaigns: readonly ToldCampaign[]): string {
  const times = campaigns.map(({ at }) => at);
  const first = clockTime(Math.min(...times));
  const last = clockTime(Math.max(...times));
  return first === last ? `At ${first}` : `Between ${first} and ${last}`;
}

export function dashboard(publicUrl: string): Block {
  return { kind: 'button', label: 'Open SmartPause', address: publicUrl };
}
