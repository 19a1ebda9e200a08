import type { StatusChange } from '../reconciler/change-log.ts';
import type { Instant } from '../time.ts';
import { days, minutes } from '../time.ts';
import { instantOf, wallTime } from '../time-zone.ts';

/** Off from a minute of the local day on these weekdays (Sunday is 0), for so many minutes of the local clock. */
interface OffHours {
  weekdays: number[];
  from: number;
  minutes: number;
}

/** When another tool has a campaign off, in the time zone of the ad account. */
export interface OtherSchedule {
  timeZone: string;
  off: OffHours[];
}

/** After a try that found nothing out. */
export const SCHEDULE_TRIED_AGAIN_MS = days(1);
/** So far back the activity log is read: each weekday is in it five times. */
export const SCHEDULE_LOG_MS = days(35);
/** The tool has so long to activate the campaign before we do. */
const RESUME_AFTER_ON_MS = minutes(15);
/** Off at the same times on so many of the last days, or of the last days with the same weekday. */
const OF_ALL = { hits: 8, days: 14 };
const OF_WEEKDAY = { hits: 4, days: 5 };
/** A campaign that is off more often on each day fits some hours of a weekday by chance. */
const MOST_PER_DAY = 4;
/** So many minutes early or late. Twice as much is the shortest time off. */
const TOLERANCE = 15;
const DAY = 24 * 60;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' });

/** By the local clock, in minutes. */
interface Span {
  from: number;
  until: number;
}

/**
 * The hours in which another tool has the campaign off: from a pause to the next change, at the same times of the day.
 * Daily hours, and those of working days, are known after 8 of the last 14 days. Those of a weekend or a single day are
 * known after 4 of the last 5 of that weekday, which takes 35 days of log. The weekday is that of the pause.
 * Days on which a pause of ours held the campaign count neither for nor against a schedule.
 * @param changes of the campaign, in any order
 */
export function recogniseSchedule(
  changes: readonly StatusChange[],
  timeZone: string,
  now: Instant,
): OtherSchedule | null {
  const local = (at: Instant): number => wallTime(timeZone, at) / minutes(1);
  const log = { from: local(now - SCHEDULE_LOG_MS), until: local(now) };
  const spans = changes
    .toSorted((a, b) => b.at - a.at)
    .map((change, index, all) => ({ change, next: all[index - 1] }))
    .filter(({ change }) => change.to === 'PAUSED')
    .map((one) => ({ ...one, from: local(one.change.at), until: local(one.next?.at ?? now) }));
  const held = spans.filter(({ change }) => change.isOurs).map(wholeDays);
  const isOff = ({ change, next }: (typeof spans)[number]): boolean =>
    !change.isOurs && next?.isOurs === false && next.to === 'ACTIVE';
  const all = spans.filter((one) => isOff(one) && one.until - one.from > 2 * TOLERANCE);
  const off: OffHours[] = [];
  let rest: Span[] = all;
  for (const one of all) {
    if (!rest.includes(one)) continue;
    const usual = usualTimes(one, rest);
    const looks = repeated(usual, log)
      .filter((day) => !held.some((hold) => overlap(hold, wholeDays(day))))
      .map((day) => ({ weekday: weekdayOf(day), isHit: rest.some((other) => isLike(day, other)) }));
    const weekdays = weekdaysOf(looks, all.length > MOST_PER_DAY * looks.length);
    if (weekdays.length === 0) continue;
    off.push({ weekdays, from: modulo(usual.from, DAY), minutes: usual.until - usual.from });
    // Newest first: older hours of these days, which the tool had before, do not count any more.
    const isOld = (other: Span): boolean =>
      weekdays.includes(weekdayOf(other)) && overlap(usual, onDayOf(usual, other));
    rest = rest.filter((other) => !isOld(other));
  }
  return off.length === 0 ? null : { timeZone, off };
}

/** The middle of those that are like it on other days, to a quarter of an hour: most tools act some minutes late. */
function usualTimes(one: Span, all: readonly Span[]): Span {
  const near = all.map((other) => onDayOf(one, other)).filter((other) => isLike(one, other, 2 * TOLERANCE));
  const middle = (times: number[]): number =>
    quarter(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0);
  return { from: middle(near.map(({ from }) => from)), until: middle(near.map(({ until }) => until)) };
}

/** The same times on each day of the log, newest first. */
function repeated(usual: Span, log: Span): Span[] {
  const last = Math.floor((log.until - TOLERANCE - usual.until) / DAY);
  const first = Math.ceil((log.from + TOLERANCE - usual.from) / DAY);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, back) => shifted(usual, last - back));
}

/** Monday first. @param looks newest first */
function weekdaysOf(looks: readonly { weekday: number; isHit: boolean }[], isBusy: boolean): number[] {
  const recent = looks.slice(0, OF_ALL.days).filter(({ isHit }) => isHit);
  return [1, 2, 3, 4, 5, 6, 0].filter((weekday) => {
    const isOf = (look: { weekday: number }): boolean => look.weekday === weekday;
    if (recent.length >= OF_ALL.hits && recent.some(isOf)) return true;
    const same = looks.filter(isOf).slice(0, OF_WEEKDAY.days);
    return !isBusy && same.filter(({ isHit }) => isHit).length >= OF_WEEKDAY.hits;
  });
}

const modulo = (number: number, by: number): number => ((number % by) + by) % by;
const quarter = (local: number): number => 15 * Math.round(local / 15);
/** January 1, 1970, was a Thursday. */
const weekdayOf = ({ from }: Span): number => modulo(Math.floor(quarter(from) / DAY) + 4, 7);
const shifted = ({ from, until }: Span, count: number): Span => ({
  from: from + count * DAY,
  until: until + count * DAY,
});
const onDayOf = (one: Span, other: Span): Span => shifted(other, Math.round((one.from - other.from) / DAY));
const wholeDays = ({ from, until }: Span): Span => ({
  from: Math.floor(from / DAY) * DAY,
  until: (Math.floor(until / DAY) + 1) * DAY,
});
const overlap = (one: Span, other: Span): boolean => one.from < other.until && other.from < one.until;
const isLike = (one: Span, other: Span, tolerance = TOLERANCE): boolean =>
  Math.abs(one.from - other.from) <= tolerance && Math.abs(one.until - other.until) <= tolerance;

/** The end of the hours in which the tool has the campaign off at this time; null: it has it on. */
export function nextOnTime({ timeZone, off }: OtherSchedule, at: Instant): Instant | null {
  const from = wallTime(timeZone, at) / minutes(1);
  let until = from;
  // Hours may follow each other at once.
  for (let looks = 0; looks < 7; looks += 1) until += minutesLeft(off, until);
  return until === from ? null : instantOf(timeZone, Math.round(until) * minutes(1), at);
}

function minutesLeft(off: readonly OffHours[], local: number): number {
  const left = off.flatMap(({ weekdays, from, minutes: length }) =>
    weekdays.map((weekday) => length - modulo(local + (4 - weekday) * DAY - from, 7 * DAY)),
  );
  return Math.max(0, ...left);
}

/** Whether the tool has the campaign off at this time. */
export const isOffAt = (schedule: OtherSchedule, at: Instant): boolean => nextOnTime(schedule, at) !== null;

/** When a resume happens that is due at this time: not before the tool had the time to activate the campaign. */
export function resumeWithin(schedule: OtherSchedule, at: Instant): Instant {
  const onAt = nextOnTime(schedule, at) ?? nextOnTime(schedule, at - RESUME_AFTER_ON_MS);
  return onAt === null ? at : onAt + RESUME_AFTER_ON_MS;
}

/** Whether an activation at this time is the tool's. The clocks may differ by a minute. */
export function turnsOnAt(schedule: OtherSchedule, at: Instant): boolean {
  const early = minutes(TOLERANCE + 1);
  const onAt = nextOnTime(schedule, at - early);
  return onAt !== null && onAt <= at + early;
}

/** 'Off 11 PM to 6 AM by another tool', 'Off Fri 6 PM to Mon 8 AM by another tool', in the account's time zone. */
export function scheduleLabel({ off }: OtherSchedule): string {
  const place = ({ weekdays: [first = 0], from }: OffHours): number => modulo(first - 1, 7) * DAY + from;
  const parts = off
    .toSorted((a, b) => place(a) - place(b))
    .map(({ weekdays, from, minutes: length }) => {
      const later = Math.floor((from + length) / DAY);
      const until = length < DAY ? '' : weekdaysLabel(weekdays.map((weekday) => (weekday + later) % 7));
      return `${weekdaysLabel(weekdays)}${clockLabel(from)} to ${until}${clockLabel(from + length)}`;
    });
  return `Off ${parts.join(', ')} by another tool`;
}

/** 'Mon–Fri ', 'Sat, Sun '; empty: daily. */
function weekdaysLabel(weekdays: readonly number[]): string {
  if (weekdays.length === 7) return '';
  const label = (weekday: number): string => WEEKDAYS[weekday % 7] ?? '';
  const [first = 0, second] = weekdays.filter((weekday) => !weekdays.includes((weekday + 6) % 7));
  if (second !== undefined || weekdays.length < 3) return `${weekdays.map(label).join(', ')} `;
  return `${label(first)}–${label(first + weekdays.length - 1)} `;
}

/** '11 PM', '6:30 AM'. */
function clockLabel(local: number): string {
  return clock
    .format(local * minutes(1))
    .replace(':00', '')
    .replace('\u202f', ' ');
}
