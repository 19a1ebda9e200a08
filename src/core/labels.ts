import type { ResumeSettings } from './settings.ts';
import type { KnownLevel, Level, Threshold } from './smartpause/level.ts';
import { days, hours, minutes, seconds } from './time.ts';

/** The same names on the page, in the activity log and in notifications. */
export const LEVEL_WORDS: Record<Level, string> = {
  UP: 'Up',
  LOW_DISRUPTION: 'Low disruption',
  MEDIUM_DISRUPTION: 'Medium disruption',
  HIGH_DISRUPTION: 'High disruption',
  UNKNOWN: 'Unknown',
};

export const THRESHOLD_WORDS: Record<Threshold, string> = {
  LOW: 'Low',
  MEDIUM: 'Medium (recommended)',
  HIGH: 'High',
};

/** At the end of every page and email. */
export const DISCLAIMER = 'SmartPause is not affiliated with Meta. All times are New York time (EST).';

/** Wording of the platform's status page, for use inside a sentence. */
export const DISRUPTION_WORDS: Record<KnownLevel, string> = {
  UP: 'no disruptions',
  LOW_DISRUPTION: 'low disruptions',
  MEDIUM_DISRUPTION: 'medium disruptions',
  HIGH_DISRUPTION: 'high disruptions',
};

export const LEGACY_CAMPAIGN_WORDS = 'Meta no longer allows changes to this campaign type through its API.';

/** When a campaign is resumed: 'immediately', '5 minutes later', 'at the next 12:01 AM EST'. */
export function resumeCopy(resume: ResumeSettings): string {
  switch (resume.mode) {
    case 'instant':
      return 'immediately';
    case 'delay':
      return `${counted(resume.delay.value, resume.delay.unit.replace(/s$/, ''))} later`;
    case 'next_day':
      return resume.zone === undefined
        ? 'at the next 12:01 AM EST'
        : 'at the next 12:01 AM in the ad account’s time zone';
  }
}

/** '0.4 s', '14 s', '2 min 5 s', '1 h 58 min' or '2 days 3 h'. */
export function durationLabel(ms: number): string {
  if (ms < seconds(1)) return ms <= 0 ? '0 s' : `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
  const smallest = ms < hours(1) ? seconds(1) : minutes(1);
  const rounded = Math.round(ms / smallest) * smallest;
  const wholeDays = Math.floor(rounded / days(1));
  const parts: [count: number, unit: string][] = [
    [wholeDays, wholeDays === 1 ? 'day' : 'days'],
    [Math.floor((rounded % days(1)) / hours(1)), 'h'],
    [Math.floor((rounded % hours(1)) / minutes(1)), 'min'],
    [(rounded % minutes(1)) / seconds(1), 's'],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.map((part) => part.join(' ')).join(' ');
}

/** '1 campaign', '5,000 campaigns'. */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** '5,000'. */
export function figure(count: number): string {
  return count.toLocaleString('en-US');
}

const NAMED = 3;

/** 'Hats, Shoes, Coats and 34 more'. */
export function namesLabel(campaigns: readonly { name: string }[]): string {
  const named = campaigns
    .slice(0, campaigns.length === NAMED + 1 ? NAMED + 1 : NAMED)
    .map(({ name }) => name);
  const more = campaigns.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${figure(more)} more`;
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
