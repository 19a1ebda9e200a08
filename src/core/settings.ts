import type { Instant } from './time.ts';
import { days, hours, minutes } from './time.ts';

export const RESUME_MODES = ['instant', 'delay', 'next_day'] as const;
export type ResumeMode = (typeof RESUME_MODES)[number];

/** What an early warning does for a user, once an admin lets early warnings act. 'official': the status page alone counts. */
export const EARLY_WARNING_CHOICES = ['official', 'pause', 'notify'] as const;
export type EarlyWarningChoice = (typeof EARLY_WARNING_CHOICES)[number];

/** From when to when early warnings pause for a user by their last choice, after another one. */
export function letsPause(
  before: {
    earlyWarning: EarlyWarningChoice;
    letsPauseSince: Instant | null;
    letsPauseUntil: Instant | null;
  },
  choice: EarlyWarningChoice,
  now: Instant,
): { letsPauseSince: Instant | null; letsPauseUntil: Instant | null } {
  const { earlyWarning, letsPauseSince, letsPauseUntil } = before;
  if ((choice === 'pause') === (earlyWarning === 'pause')) return { letsPauseSince, letsPauseUntil };
  return choice === 'pause'
    ? { letsPauseSince: now, letsPauseUntil: null }
    : { letsPauseSince, letsPauseUntil: Math.max(letsPauseSince ?? now, now) };
}

export const DELAY_UNITS = ['minutes', 'hours', 'days'] as const;
export type DelayUnit = (typeof DELAY_UNITS)[number];

export interface Delay {
  value: number;
  unit: DelayUnit;
}

/** Whose midnight ends the day: absent, New York's. An ad account whose time zone Meta does not send takes New York's, too. */
export const DAY_ZONES = ['account'] as const;
export type DayZone = (typeof DAY_ZONES)[number];

export type ResumeSettings =
  { mode: 'instant' } | { mode: 'next_day'; zone?: DayZone | undefined } | { mode: 'delay'; delay: Delay };

/** Longest delay of each unit (SET-04). */
export const DELAY_MAX: Record<DelayUnit, number> = { minutes: 60, hours: 24, days: 3 };
/** A resume is due at the latest so long after the end of the match. */
export const LATEST_RESUME_MS = days(DELAY_MAX.days + 1);
export const DEFAULT_DELAY: Delay = { value: 5, unit: 'minutes' };
export const DEFAULT_RESUME: ResumeSettings = { mode: 'delay', delay: DEFAULT_DELAY };
export const DEFAULT_THRESHOLD = 'MEDIUM';

/** Keeps a delay inside the bounds of its unit; a value that is not above 0 gives the default (SET-04). */
export function clampDelay(delay: Delay): Delay {
  if (!Number.isFinite(delay.value) || delay.value <= 0) return DEFAULT_DELAY;
  return { unit: delay.unit, value: Math.min(Math.max(1, Math.floor(delay.value)), DELAY_MAX[delay.unit]) };
}

export function isSameResume(one: ResumeSettings, other: ResumeSettings): boolean {
  if (one.mode === 'next_day' && other.mode === 'next_day') return one.zone === other.zone;
  if (one.mode !== 'delay' || other.mode !== 'delay') return one.mode === other.mode;
  return one.delay.value === other.delay.value && one.delay.unit === other.delay.unit;
}

export function delayMs(delay: Delay): number {
  const unitMs = { minutes: minutes(1), hours: hours(1), days: days(1) }[delay.unit];
  return delay.value * unitMs;
}
