import { resumeCopy } from '#core/labels.ts';
import { fullTimeWithUtc, shortUtcDate } from '#core/new-york.ts';
import { firstResumeAt, firstResumeTime } from '#core/smartpause/resume-time.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { HeldCampaign } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import { utcClockOf } from './outage.ts';

/**
 * When SmartPause resumes these campaigns.
 * @param given.threshold that they were paused for
 */
export function resumeCopyOf(
  { user, status, now, isWarned }: Facts,
  given: {
    threshold: Threshold | undefined;
    campaigns: readonly Pick<HeldCampaign, 'timeZone'>[];
    /** An early warning has paused them, and no disruption. */
    isEarly?: boolean;
  },
  them: string,
): string {
  if (user.leaving !== null)
    return `You asked us to revoke our access to your ad accounts. SmartPause resumes ${them} now`;
  const { resumeSettings: resume } = user;
  const { threshold = user.threshold, campaigns, isEarly = false } = given;
  const zones = [...new Set(campaigns.map(({ timeZone }) => timeZone))];
  const dueAt = firstResumeAt(status, { threshold, resume }, zones);
  const isNextDay = resume.mode === 'next_day';
  if (dueAt === null) {
    const utc = isNextDay ? ` (${earliestOf(firstResumeTime(resume, now, zones))})` : '';
    return `When ${isEarly && isWarned ? 'the early warning no longer pauses campaigns' : 'the disruption drops below your threshold'}, SmartPause resumes ${them} ${resumeCopy(resume)}${utc}`;
  }
  const isFirst = isNextDay && resume.zone !== undefined && zones.length > 1;
  const when =
    dueAt > now
      ? `${isFirst ? 'from' : 'on'} ${fullTimeWithUtc(dueAt)}${isFirst ? ' on, at 12:01 AM in each ad account’s time zone' : ''}`
      : 'now';
  return `${isEarly ? 'The early warning no longer pauses campaigns' : 'The disruption has since dropped below your threshold'}. SmartPause resumes ${them} ${when}`;
}

/** 'Jan 9, 05:01 UTC, at the earliest' */
function earliestOf(at: Instant): string {
  return `${shortUtcDate(at)}, ${utcClockOf(at)}, at the earliest`;
}
