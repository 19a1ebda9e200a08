import type { ResumeSettings } from './settings.ts';
import type { HoldState, LetGoReason } from './smartpause/hold.ts';
import type { KnownLevel, Level } from './smartpause/level.ts';
import { days, hours, minutes } from './time.ts';

/** How things are called to a person: the same in the page, the journal and the mail. */
export const LEVEL_WORDS: Record<Level, string> = {
  UP: 'Up',
  LOW_DISRUPTION: 'Low disruption',
  MEDIUM_DISRUPTION: 'Medium disruption',
  HIGH_DISRUPTION: 'High disruption',
  UNKNOWN: 'Unknown',
};

/** As the platform's own page says it, inside a sentence. */
export const DISRUPTION_WORDS: Record<KnownLevel, string> = {
  UP: 'no disruptions',
  LOW_DISRUPTION: 'low disruptions',
  MEDIUM_DISRUPTION: 'medium disruptions',
  HIGH_DISRUPTION: 'high disruptions',
};

/** Of a legacy Advantage+ campaign. */
export const LEGACY_CAMPAIGN_WORDS = 'Meta no longer allows changes to this campaign type through its API.';

export const LET_GO_WORDS: Record<LetGoReason, string> = {
  smartpause_off: 'SmartPause was turned off for it; it stays as it is',
  manual_pause: 'it was paused by hand here; it stays paused',
  paused_by_other: 'somebody else with access to the ad account paused it by hand; it stays paused',
  not_needed: 'the disruption was over before Meta had accepted the pause; it was left running',
  paused_outside: 'somebody paused it in Ads Manager; it stays paused',
  already_active: 'it was already running again',
  resumed_outside: 'it was resumed outside SmartPause; SmartPause is now disabled for it',
  archived: 'it was archived; SmartPause is now disabled for it',
  deleted: 'it no longer exists; SmartPause is now disabled for it',
  access_lost: 'we no longer have access to it; it stays as it is',
};

/** Of a write that was under way when a hold ended in this state. */
export function unsettledWords(state: HoldState): string {
  return `Meta did not say whether our ${state === 'resuming' ? 'resume' : 'pause'} before that was carried out`;
}

/** What happens once the threshold is no longer met: 'at once', '5 minutes later', 'at the next 12:01 AM EST'. */
export function resumeWords(resume: ResumeSettings): string {
  switch (resume.mode) {
    case 'instant':
      return 'at once';
    case 'delay':
      return `${counted(resume.delay.value, resume.delay.unit.replace(/s$/, ''))} later`;
    case 'next_day':
      return 'at the next 12:01 AM EST';
  }
}

/** '1 h 58 min', '12 min', '2 days 3 h'; rounded to minutes; less than one is said so. */
export function durationWords(ms: number): string {
  if (ms < minutes(1)) return 'less than a minute';
  const rounded = Math.round(ms / minutes(1)) * minutes(1);
  const wholeDays = Math.floor(rounded / days(1));
  const wholeHours = Math.floor((rounded % days(1)) / hours(1));
  const wholeMinutes = Math.floor((rounded % hours(1)) / minutes(1));
  const parts = [
    wholeDays > 0 ? counted(wholeDays, 'day') : '',
    wholeHours > 0 ? `${wholeHours} h` : '',
    wholeMinutes > 0 && wholeDays === 0 ? `${wholeMinutes} min` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** '1 campaign', '5,000 campaigns'. */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** '5,000'. */
export function figure(count: number): string {
  return count.toLocaleString('en-US');
}
