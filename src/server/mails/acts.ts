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
  resumeWords,
  unsettledWords,
} from '#core/words.ts';
import type { Block, Mail } from './blocks.ts';

/** A campaign as mails name it, and when what is told of it happened. */
export interface ToldCampaign {
  name: string;
  account: string;
  at: Instant;
}

export interface LeftAlone extends ToldCampaign {
  reason: LetGoReason | null;
  /** In which state it was let go, if nobody knows whether the write of then was carried out. */
  unsettled: HoldState | null;
}

export interface PausedFacts {
  publicUrl: string;
  campaigns: readonly ToldCampaign[];
  /** What the platform reported when they were paused, and since when. */
  level: KnownLevel;
  levelSince: Instant | null;
  threshold: Threshold;
  resume: ResumeSettings;
  /** Pauses that Meta has not confirmed yet. */
  unfinished: number;
  /** It was an administrator who said how Meta is, not Meta's own page. */
  isOverridden: boolean;
  /** By now the threshold is met no more. */
  isOver: boolean;
}

export function pausedMail(facts: PausedFacts): Mail {
  const count = counted(facts.campaigns.length, 'campaign');
  const report = DISRUPTION_WORDS[facts.level];
  const since = facts.levelSince === null ? '' : ` since ${fullTime(facts.levelSince)}`;
  const source = facts.isOverridden ? "SmartPause's operators report" : 'Meta reports';
  const next = facts.isOver
    ? `The disruption has fallen below your threshold meanwhile. What happens next: SmartPause resumes exactly these campaigns ${resumeWords(facts.resume)}`
    : `What happens next: when the disruption falls below your threshold, SmartPause resumes exactly these campaigns ${resumeWords(facts.resume)}`;
  return {
    subject: `SmartPause paused ${count}: ${source} ${report}`,
    preview: `${spanWords(facts.campaigns)}. They resume by themselves.`,
    title: `SmartPause paused ${count}`,
    blocks: [
      {
        kind: 'status',
        level: facts.level,
        text: `${source} ${report} of ${facts.isOverridden ? "Meta's" : 'its'} ad services${since}. Your threshold is ${facts.threshold.toLowerCase()}.`,
      },
      ...byAccount('Paused', facts.campaigns),
      ...unfinishedWords(facts.unfinished, 'paused'),
      {
        kind: 'text',
        text: `${next}, and writes to you again. You need not do anything. To take a campaign back yourself, turn SmartPause off for it; it then stays paused until you resume it.`,
      },
      dashboard(facts.publicUrl),
    ],
  };
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
  const items = leftAlone.map(({ name, account, reason, at, unsettled }) => {
    const why = reason === null ? 'left as it is' : LET_GO_WORDS[reason];
    const doubt = unsettled === null ? '' : `; ${unsettledWords(unsettled)}`;
    return { text: name, detail: `${account}, ${fullTime(at)}: ${why}${doubt}` };
  });
  return { kind: 'list', title: `Left alone (${counted(items.length, 'campaign')})`, items };
}

export function disabledMail(facts: { publicUrl: string; campaigns: readonly LeftAlone[] }): Mail {
  const count = counted(facts.campaigns.length, 'campaign');
  const them = facts.campaigns.length === 1 ? 'it' : 'them';
  return {
    subject: `SmartPause is disabled for ${count}: changed outside`,
    preview: 'Your own change counts: nothing happens there until you turn SmartPause on again.',
    title: `SmartPause is disabled for ${count}`,
    blocks: [
      {
        kind: 'text',
        text: `SmartPause had paused ${them} and then found ${them} changed outside, in Ads Manager for instance. Your own change counts: SmartPause leaves ${them} alone from now on, also in the next disruption. The time is that at which it was noticed.`,
      },
      leftAloneList(facts.campaigns),
      { kind: 'text', text: `To let SmartPause look after ${them} again, turn it on once more.` },
      dashboard(facts.publicUrl),
    ],
  };
}

export interface UnknownFacts {
  publicUrl: string;
  since: Instant;
  held: readonly ToldCampaign[];
}

export function unknownMail(facts: UnknownFacts): Mail {
  const count = counted(facts.held.length, 'campaign');
  return {
    subject: `Still paused: Meta's status cannot be read since ${clockTime(facts.since)}`,
    preview: `SmartPause still holds ${count}. Turning it off gives a campaign back to you.`,
    title: `SmartPause still holds ${count}`,
    blocks: [
      {
        kind: 'status',
        level: 'UNKNOWN',
        text: `Meta's status page could not be read or understood since ${fullTime(facts.since)}.`,
      },
      {
        kind: 'text',
        text: 'Without knowing how Meta is, SmartPause changes nothing: it pauses nothing new and resumes nothing. As soon as the status is known again it goes on by itself, and writes to you when it has resumed them.',
      },
      ...byAccount('Still paused', facts.held),
      {
        kind: 'text',
        text: 'If you do not want to wait: turn SmartPause off for a campaign, and Manual Resume works at once.',
      },
      dashboard(facts.publicUrl),
    ],
  };
}

export function accountLostMail(facts: { publicUrl: string; held: readonly ToldCampaign[] }): Mail {
  const count = counted(facts.held.length, 'campaign');
  const them = facts.held.length === 1 ? 'it' : 'them';
  return {
    subject: `Still paused: SmartPause can no longer reach ${count}`,
    preview: 'Meta refuses us the ad account, so nothing can be resumed there.',
    title: `SmartPause can no longer reach ${count}`,
    blocks: [
      {
        kind: 'text',
        text: `SmartPause had paused ${them}, and Meta now refuses us the ad account: your own access to it may have been removed. SmartPause keeps trying, and resumes ${them} when it can. Until then please look at ${them} in Ads Manager, or ask whoever looks after the ad account.`,
      },
      ...byAccount('Still paused', facts.held),
      dashboard(facts.publicUrl),
    ],
  };
}

/** One list for each ad account, in the order in which they were first met. */
export function byAccount(verb: string, campaigns: readonly ToldCampaign[]): Block[] {
  return [...Map.groupBy(campaigns, ({ account }) => account)].map(([account, own]) => ({
    kind: 'list',
    title: `${verb} in ${account} (${counted(own.length, 'campaign')})`,
    items: own.map(({ name, at }) => ({ text: name, detail: fullTime(at) })),
  }));
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

function dashboard(publicUrl: string): Block {
  return { kind: 'button', label: 'Open SmartPause', address: publicUrl };
}
